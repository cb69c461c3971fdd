/* The transposition table: what was found out about a position, kept under its 64-bit key. Safe to
   share between threads without locks: an entry torn by two writers fails its check and counts as
   absent. */
#ifndef DAMA_TTABLE_H
#define DAMA_TTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a stored score says of the true one. MOVE: nothing, only the move is of use. */
enum dama_bound { DAMA_BOUND_MOVE, DAMA_BOUND_LOWER, DAMA_BOUND_UPPER, DAMA_BOUND_EXACT };

/* One finding. move is the index in generate() order, -1 for none. */
struct dama_finding {
    int score;
    int depth; /* 0..255 */
    enum dama_bound bound;
    int move;
};

struct dama_table_entry;
struct dama_table {
    void *memory;
    struct dama_table_entry *entries;
    uint32_t buckets;
};

/* Takes at most table_kb KiB (at least one bucket); false when out of memory. The table is empty.
 */
bool dama_table_init(struct dama_table *table, size_t table_kb);
void dama_table_free(struct dama_table *table);
/* Makes it as fresh. */
void dama_table_clear(struct dama_table *table);

/* False when nothing is stored under this key. */
bool dama_table_probe(const struct dama_table *table, uint64_t key, struct dama_finding *out);
/* Replaces the entry of the same key (whose move stays when the finding has none), else the one of
   least worth in its bucket: of another age first, then of the least depth. age is that of the
   present search, 0..63. */
void dama_table_store(struct dama_table *table, uint64_t key, unsigned age,
                      const struct dama_finding *finding);

#endif
