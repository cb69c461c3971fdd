/* The transposition table: buckets of four 16-byte entries, each verified by its whole key. */
#include "engine/ttable.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET_ENTRIES = 4, CACHE_LINE = 64, AGES = 64, AGE_WORTH = 256 };

/* check is key ^ data. data: bits 0-15 score, 16-23 depth, 24-25 bound, 26-31 age, 32-47 move + 1,
   63 set in every entry in use. */
struct dama_table_entry {
    uint64_t check;
    uint64_t data;
};

static const uint64_t in_use = UINT64_C(1) << 63;

static uint64_t pack(const struct dama_finding *finding, unsigned age)
{
    return (uint16_t)(int16_t)finding->score | (uint64_t)finding->depth << 16 |
           (uint64_t)finding->bound << 24 | (uint64_t)age << 26 |
           (uint64_t)(finding->move + 1) << 32 | in_use;
}

static int depth_of(uint64_t data)
{
    return (int)(data >> 16 & 255);
}

static unsigned age_of(uint64_t data)
{
    return (unsigned)(data >> 26 & (AGES - 1));
}

/* Relaxed atomics cost nothing and make a shared table well defined. */
static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void save(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static struct dama_table_entry *bucket_of(const struct dama_table *table, uint64_t key)
{
    return table->entries + ((key >> 32) * table->buckets >> 32) * BUCKET_ENTRIES;
}

bool dama_table_init(struct dama_table *table, size_t table_kb)
{
    size_t bucket_bytes = BUCKET_ENTRIES * sizeof(struct dama_table_entry);
    size_t buckets = table_kb * 1024 / bucket_bytes;
    if (buckets < 1) {
        buckets = 1;
    }
    if (buckets > UINT32_MAX) {
        buckets = UINT32_MAX;
    }
    *table = (struct dama_table){.buckets = (uint32_t)buckets};
    table->memory = malloc(buckets * bucket_bytes + CACHE_LINE);
    if (!table->memory) {
        return false;
    }
    uintptr_t start = ((uintptr_t)table->memory + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1);
    table->entries = (struct dama_table_entry *)start;
    dama_table_clear(table);
    return true;
}

void dama_table_free(struct dama_table *table)
{
    free(table->memory);
    *table = (struct dama_table){0};
}

void dama_table_clear(struct dama_table *table)
{
    memset(table->entries, 0,
           (size_t)table->buckets * BUCKET_ENTRIES * sizeof(struct dama_table_entry));
}

bool dama_table_probe(const struct dama_table *table, uint64_t key, struct dama_finding *out)
{
    const struct dama_table_entry *bucket = bucket_of(table, key);
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        uint64_t data = load(&bucket[i].data);
        if ((load(&bucket[i].check) ^ data) == key && data & in_use) {
            out->score = (int16_t)(data & 0xffff);
            out->depth = depth_of(data);
            out->bound = (enum dama_bound)(data >> 24 & 3);
            out->move = (int)(data >> 32 & 0xffff) - 1;
            return true;
        }
    }
    return false;
}

void dama_table_store(struct dama_table *table, uint64_t key, unsigned age,
                      const struct dama_finding *finding)
{
    assert(finding->depth >= 0 && finding->depth < 256 && age < AGES && finding->move >= -1);
    struct dama_table_entry *bucket = bucket_of(table, key);
    struct dama_table_entry *victim = bucket;
    struct dama_finding kept = *finding;
    int least = 2 * AGE_WORTH;
    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        uint64_t data = load(&bucket[i].data);
        if ((load(&bucket[i].check) ^ data) == key && data & in_use) {
            victim = &bucket[i];
            if (kept.move < 0) {
                kept.move = (int)(data >> 32 & 0xffff) - 1;
            }
            break;
        }
        int worth = data & in_use ? depth_of(data) + AGE_WORTH * (age_of(data) == age) : -1;
        if (worth < least) {
            least = worth;
            victim = &bucket[i];
        }
    }
    uint64_t data = pack(&kept, age);
    save(&victim->check, key ^ data);
    save(&victim->data, data);
}
