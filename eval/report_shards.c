/* One pass over the shards of a run: what the games were, and what the table says of squares. */
#include <stdlib.h>
#include <string.h>

#include "cluster/run_shards.h"
#include "engine/cli/distinct.h"
#include "engine/evaluate.h"
#include "eval/report_facts.h"

/* Quiet positions for the board values; about so many, evenly spread. */
enum { BOARD_POSITIONS = 20000 };

/* Identities of games and openings, to be counted. */
struct identities {
    uint64_t *game, *opening;
    size_t count, capacity;
};

struct pass {
    const struct dama_report_facts *facts;
    struct dama_game_facts *games;
    const char *request; /* of the generation: another run's shard is refused */
    struct dama_shard_order order;
    struct identities seen;
    struct dama_board_values *board; /* NULL: not of this generation */
    uint64_t stride, quiet;          /* every stride-th quiet position is taken */
    struct dama_shard shard;
};

/* FNV-1a over the bytes of a word. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++) {
        hash = (hash ^ (word >> (8 * i) & 0xff)) * prime;
    }
    return hash;
}

static uint64_t mix_row(uint64_t hash, const struct dama_row *row)
{
    hash = mix(hash, row->white_men);
    hash = mix(hash, row->white_kings);
    hash = mix(hash, row->black_men);
    hash = mix(hash, row->black_kings);
    return mix(hash, row->side_to_move);
}

static enum dama_status reserve(struct identities *seen, struct dama_error *err)
{
    if (seen->count < seen->capacity) {
        return DAMA_OK;
    }
    size_t capacity = seen->capacity ? 2 * seen->capacity : 4096;
    uint64_t *game = realloc(seen->game, capacity * sizeof *game);
    seen->game = game ? game : seen->game;
    uint64_t *opening = realloc(seen->opening, capacity * sizeof *opening);
    seen->opening = opening ? opening : seen->opening;
    if (!game || !opening) {
        return dama_fail(err, DAMA_MEMORY, "no memory to compare %lu games",
                         (unsigned long long)capacity);
    }
    seen->capacity = capacity;
    return DAMA_OK;
}

/* A game is its positions and moves; an opening the first position that is not random. */
static enum dama_status identify(struct identities *seen, const struct dama_row *row, uint32_t rows,
                                 struct dama_error *err)
{
    const uint64_t basis = UINT64_C(0xcbf29ce484222325);
    DAMA_TRY(reserve(seen, err));
    uint64_t game = basis, opening = basis;
    for (uint32_t i = 0; i < rows; i++) {
        if (opening == basis && !(row[i].flags & DAMA_ROW_RANDOM)) {
            opening = mix_row(basis, &row[i]);
        }
        game = mix(mix_row(game, &row[i]), row[i].captured);
        game = mix(game, (uint64_t)row[i].from << 8 | row[i].to);
    }
    seen->game[seen->count] = game;
    seen->opening[seen->count++] = opening;
    return DAMA_OK;
}

static void add_score(struct dama_game_facts *facts, const struct dama_row *row)
{
    if (row->score == DAMA_SCORE_NONE || row->flags & DAMA_ROW_RANDOM) {
        return;
    }
    const int middle = DAMA_SCORE_CLASSES / 2, half = DAMA_SCORE_WIDTH / 2;
    int score = abs(row->score);
    int away = (score + half) / DAMA_SCORE_WIDTH;
    away = away > middle ? middle : away;
    int class = row->score < 0 ? middle - away : middle + away;
    facts->score[class].rows++;
    facts->score[class].half_points += (uint64_t)(row->result + 1);
}

/* What the table gives a side for its piece on this bit: the score with it less the score without.
   The side to move stays. */
static int piece_value(const struct pass *pass, const struct dama_position *position, int bit,
                       int side)
{
    const struct dama_ruleset *ruleset = &pass->facts->ruleset;
    struct dama_position without = *position;
    uint64_t square = UINT64_C(1) << bit;
    without.pieces[side] &= ~square;
    without.kings &= ~square;
    int with = ruleset->kernel->evaluate(&ruleset->rules, position, &pass->facts->weights);
    int value = with - ruleset->kernel->evaluate(&ruleset->rules, &without, &pass->facts->weights);
    return (int)position->side == side ? value : -value;
}

/* Takes each piece away in turn, but not the last one of a side. */
static void add_board(struct pass *pass, const struct dama_row *row)
{
    int size = pass->facts->ruleset.rules.board_size;
    struct dama_position position = dama_row_position(size, row);
    pass->board->positions++;
    for (int side = 0; side < 2; side++) {
        uint64_t left = position.pieces[side];
        if (!(left & (left - 1))) {
            continue;
        }
        for (; left; left &= left - 1) {
            int bit = __builtin_ctzll(left);
            int square = dama_bit_square(size, bit);
            int seen_from_white = side == DAMA_WHITE ? square : size * size / 2 + 1 - square;
            struct dama_square_value *value = position.kings >> bit & 1
                                                  ? &pass->board->king[seen_from_white]
                                                  : &pass->board->man[seen_from_white];
            value->seen++;
            value->mean += piece_value(pass, &position, bit, side);
        }
    }
}

static void add_row(struct pass *pass, const struct dama_row *row, bool is_capped)
{
    int pieces = __builtin_popcountll(row->white_men | row->white_kings) +
                 __builtin_popcountll(row->black_men | row->black_kings);
    pass->games->phase[pieces < DAMA_PHASE_CLASSES ? pieces : DAMA_PHASE_CLASSES - 1]++;
    if (!is_capped) {
        add_score(pass->games, row);
    }
    bool is_quiet = !(row->flags & (DAMA_ROW_CAPTURE | DAMA_ROW_RANDOM));
    if (pass->board && is_quiet && pass->quiet++ % pass->stride == 0) {
        add_board(pass, row);
    }
}

static enum dama_status add_game(struct pass *pass, const struct dama_game_row *game,
                                 struct dama_error *err)
{
    struct dama_game_facts *facts = pass->games;
    const struct dama_row *row = pass->shard.row + game->first_row;
    int class = game->plies / DAMA_LENGTH_WIDTH;
    facts->games++;
    facts->rows += game->rows;
    facts->plies += game->plies;
    facts->results[game->result + 1]++;
    facts->ends[game->termination]++;
    facts->lengths[class < DAMA_LENGTH_CLASSES ? class : DAMA_LENGTH_CLASSES - 1]++;
    for (uint32_t i = 0; i < game->rows; i++) {
        add_row(pass, &row[i], game->termination == DAMA_END_PLY_CAP);
    }
    return identify(&pass->seen, row, game->rows, err);
}

static enum dama_status add_shard(void *context, const char *path, struct dama_error *err)
{
    struct pass *pass = context;
    const struct dama_rules *rules = &pass->facts->ruleset.rules;
    struct dama_shard_origin expected = {.variant = rules->name,
                                         .board_size = rules->board_size,
                                         .men = dama_rules_men(rules),
                                         .request = pass->request};
    memcpy(expected.rules_hash, pass->facts->ruleset.hash, DAMA_HASH_SIZE);
    struct dama_shard_header header;
    dama_shard_free(&pass->shard);
    DAMA_TRY(dama_shard_load(path, &expected, &pass->shard, &header, err));
    DAMA_TRY(dama_shard_follow(&pass->order, &pass->shard, path, err));
    pass->games->shards++;
    pass->games->bytes += header.bytes;
    for (size_t g = 0; g < pass->shard.games; g++) {
        DAMA_TRY(add_game(pass, &pass->shard.game[g], err));
    }
    return DAMA_OK;
}

static enum dama_status add_rows(void *context, const char *path, struct dama_error *err)
{
    struct dama_shard_header header;
    DAMA_TRY(dama_shard_peek(path, &header, err));
    *(uint64_t *)context += header.rows;
    return DAMA_OK;
}

static void take_means(struct dama_board_values *board)
{
    for (int s = 0; s < DAMA_SQUARES_MAX; s++) {
        board->man[s].mean /= board->man[s].seen ? (double)board->man[s].seen : 1;
        board->king[s].mean /= board->king[s].seen ? (double)board->king[s].seen : 1;
    }
}

static enum dama_status read_generation(struct dama_report_facts *facts, int i, uint64_t rows,
                                        struct dama_error *err)
{
    struct dama_report_generation *g = &facts->generation[i];
    bool is_newest = i + 1 == facts->count;
    struct pass pass = {.facts = facts,
                        .games = &g->games,
                        .request = g->request,
                        .board = is_newest && facts->has_weights ? &facts->board : NULL,
                        .stride = rows / BOARD_POSITIONS + 1};
    enum dama_status status = dama_run_shards(g->folder, ".h5", add_shard, &pass, err);
    g->games.distinct_games = dama_count_distinct(pass.seen.game, pass.seen.count);
    g->games.distinct_openings = dama_count_distinct(pass.seen.opening, pass.seen.count);
    if (pass.board) {
        take_means(pass.board);
    }
    dama_shard_free(&pass.shard);
    free(pass.seen.game);
    free(pass.seen.opening);
    return status;
}

/* Rows of a generation by its shards' headers. */
static enum dama_status count_rows(const struct dama_report_facts *facts, int i, uint64_t *rows,
                                   struct dama_error *err)
{
    *rows = 0;
    return dama_run_shards(facts->generation[i].folder, ".h5", add_rows, rows, err);
}

enum dama_status dama_report_read_shards(struct dama_report_facts *facts, struct dama_error *err)
{
    uint64_t rows;
    DAMA_TRY(count_rows(facts, facts->count - 1, &rows, err));
    if (rows == 0 && facts->count == 1) {
        return dama_fail(err, DAMA_INVALID, "%s: expected finished games, found none yet",
                         facts->generation[0].folder);
    }
    /* A generation that has just begun has nothing to show yet. */
    facts->count -= rows == 0;
    for (int i = 0; i < facts->count; i++) {
        DAMA_TRY(count_rows(facts, i, &rows, err));
        DAMA_TRY(read_generation(facts, i, rows, err));
    }
    return DAMA_OK;
}
