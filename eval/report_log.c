/* Throughput by rank from the log of a run. */
#include <stdlib.h>
#include <string.h>

#include "cluster/run_shards.h"
#include "eval/report_facts.h"

enum { LINE_SIZE = 4096, RANKS_MAX = 1 << 20 };

/* One line about a finished block. */
struct finished {
    double time;
    json_int_t process;
    long long block;
    int rank;
    unsigned long long games;
};

/* Rows of blocks, from the shards' headers; the generation that a block belongs to. */
struct block {
    uint64_t number, rows;
    int generation;
};
struct blocks {
    struct block *at;
    size_t count, capacity;
    int generation;
};

struct reading {
    struct dama_report_facts *facts;
    struct blocks blocks;
    bool is_in_stretch;
    struct finished last;
    int last_generation;
    double seconds; /* of all stretches */
};

static enum dama_status add_block(void *context, const char *path, struct dama_error *err)
{
    struct blocks *blocks = context;
    struct dama_shard_header header;
    DAMA_TRY(dama_shard_peek(path, &header, err));
    if (blocks->count == blocks->capacity) {
        size_t capacity = blocks->capacity ? 2 * blocks->capacity : 256;
        struct block *grown = realloc(blocks->at, capacity * sizeof *grown);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a list of blocks");
        }
        blocks->at = grown;
        blocks->capacity = capacity;
    }
    blocks->at[blocks->count++] = (struct block){header.block, header.rows, blocks->generation};
    return DAMA_OK;
}

static int compare_blocks(const void *a, const void *b)
{
    const struct block *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

static struct dama_rank_facts *find_rank(struct dama_report_facts *facts, int rank)
{
    int at = 0;
    while (at < facts->ranks && facts->rank[at].rank < rank) {
        at++;
    }
    if (at < facts->ranks && facts->rank[at].rank == rank) {
        return &facts->rank[at];
    }
    struct dama_rank_facts *grown =
        realloc(facts->rank, (size_t)(facts->ranks + 1) * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    facts->rank = grown;
    memmove(grown + at + 1, grown + at, (size_t)(facts->ranks - at) * sizeof *grown);
    facts->ranks++;
    grown[at] = (struct dama_rank_facts){.rank = rank};
    return &grown[at];
}

/* False when the line is about something else. */
static bool parse_line(const char *line, struct finished *out)
{
    json_t *json = json_loads(line, 0, NULL);
    const char *event = NULL, *text = NULL;
    bool is_block = json &&
                    json_unpack(json, "{s:F, s:I, s:s, s:s}", "time", &out->time, "process",
                                &out->process, "event", &event, "text", &text) == 0 &&
                    strcmp(event, "block") == 0 &&
                    sscanf(text, "block %lld job %*d rank %d games %llu", &out->block, &out->rank,
                           &out->games) == 3 &&
                    out->rank >= 0 && out->rank < RANKS_MAX;
    json_decref(json);
    return is_block;
}

/* A stretch is the blocks of one process in one generation; it starts when its first is finished.
 */
static enum dama_status add_finished(struct reading *reading, const struct finished *finished,
                                     struct dama_error *err)
{
    struct block key = {.number = (uint64_t)finished->block};
    const struct block *block =
        reading->blocks.count
            ? bsearch(&key, reading->blocks.at, reading->blocks.count, sizeof key, compare_blocks)
            : NULL;
    if (!block) {
        return DAMA_OK; /* of another generation than those reported on */
    }
    struct dama_rank_facts *rank = find_rank(reading->facts, finished->rank);
    if (!rank) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the throughput of ranks");
    }
    if (reading->is_in_stretch && reading->last.process == finished->process &&
        reading->last_generation == block->generation) {
        reading->seconds += finished->time - reading->last.time;
        rank->blocks++;
        rank->games += finished->games;
        rank->rows += block->rows;
    }
    reading->is_in_stretch = true;
    reading->last = *finished;
    reading->last_generation = block->generation;
    return DAMA_OK;
}

static enum dama_status read_lines(struct reading *reading, FILE *log, struct dama_error *err)
{
    char line[LINE_SIZE];
    while (fgets(line, sizeof line, log)) {
        struct finished finished;
        if (parse_line(line, &finished)) {
            DAMA_TRY(add_finished(reading, &finished, err));
        }
    }
    return DAMA_OK;
}

/* The log lies in RUN; that of one generation in the training's folder above it. */
static FILE *open_log(const struct dama_report_facts *facts, const char *run)
{
    char path[DAMA_REPORT_PATH_SIZE];
    FILE *log = NULL;
    if (snprintf(path, sizeof path, "%s/log.jsonl", run) < (int)sizeof path) {
        log = fopen(path, "re");
    }
    if (!log && strncmp(facts->name, "gen-", 4) == 0 &&
        snprintf(path, sizeof path, "%s/../log.jsonl", run) < (int)sizeof path) {
        log = fopen(path, "re");
    }
    return log;
}

enum dama_status dama_report_read_log(struct dama_report_facts *facts, const char *run,
                                      struct dama_error *err)
{
    FILE *log = open_log(facts, run);
    if (!log) {
        return DAMA_OK;
    }
    struct reading reading = {.facts = facts};
    enum dama_status status = DAMA_OK;
    for (int i = 0; i < facts->count && status == DAMA_OK; i++) {
        reading.blocks.generation = i;
        status =
            dama_run_shards(facts->generation[i].folder, ".h5", add_block, &reading.blocks, err);
    }
    if (status == DAMA_OK) {
        qsort(reading.blocks.at, reading.blocks.count, sizeof *reading.blocks.at, compare_blocks);
        status = read_lines(&reading, log, err);
    }
    for (int i = 0; i < facts->ranks; i++) {
        facts->rank[i].seconds = reading.seconds;
    }
    free(reading.blocks.at);
    fclose(log);
    return status;
}
