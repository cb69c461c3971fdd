/* The named features of the evaluation: one list, from which offsets, table names, trace, export
   and documentation come. Feature group, number of weights, meaning. */
#ifndef DAMA_FEATURES_H
#define DAMA_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#define DAMA_FEATURES(X)                                                              \
    X(man, 1, "men, own minus opponent's; the unit, fixed at 100 in the first phase") \
    X(king, 1, "kings, own minus opponent's")                                         \
    X(first_king, 1, "has a king while the opponent has none")                        \
    X(back_row, 16, "occupancy pattern of the own back row (inner four squares)")     \
    X(centre, 3, "men and kings on the centre, by ring")                              \
    X(advance, 10, "men by rows from their own back row")

enum dama_feature_offset {
#define X(name, count, meaning) \
    DAMA_FEATURE_##name, DAMA_FEATURE_##name##_last = DAMA_FEATURE_##name + (count)-1,
    DAMA_FEATURES(X)
#undef X
        DAMA_FEATURE_COUNT
};
enum { DAMA_PHASES = 2 };

/* A feature group: its name, where its weights start and how many there are. */
struct dama_feature {
    const char *name;
    int offset;
    int count;
    const char *meaning;
};
extern const struct dama_feature dama_features[];
extern const int dama_features_count;

/* Writes the name of weight index 0..DAMA_FEATURE_COUNT-1 ("king", "back_row[3]"). */
void dama_feature_name(int index, char *out, size_t size);
/* SHA-256 of the canonical text of the list, made at build time. */
extern const unsigned char dama_features_hash[32];
/* The canonical text: "name count" a line. */
size_t dama_features_format(char *out, size_t size);

#endif
