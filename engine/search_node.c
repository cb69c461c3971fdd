/* The inside of the search: principal variation search with the transposition table, draws by rule
   and repetition, late move reductions. */
#include "engine/search_state.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum {
    STOP_EVERY = 1024,
    REPEAT_LEAST = 4, /* plies: the shortest cycle of a position */
    TRIED_MAX = 48,
    REDUCE_DEPTH = 3, /* late move reductions: from this depth on, */
    REDUCE_AFTER = 2, /* for moves after this many, by one ply; */
    REDUCE_TWO = 5,   /* after this many by two, from the next depth on; */
    REDUCE_THREE = 9, /* after this many by three, */
    REDUCE_DEEP = 6,  /* from this depth on */
    COUNT_FREE = 16,  /* draw counts below this do not part table entries, */
    COUNT_STEP = 3,   /* above it each step of 2^3 plies does */
};

/* What a node works on: kept together because every step needs it. */
struct node {
    int ply;
    int depth;
    int alpha;
    int beta;
    int best;
    int best_index;
    int tried_count;
    dama_move tried[TRIED_MAX]; /* quiet moves that did not refute */
};

static bool count_node(struct dama_searcher *searcher)
{
    const struct dama_search_limits *limits = searcher->limits;
    if (limits->nodes && searcher->nodes >= limits->nodes) {
        searcher->is_stopped = true;
        return false;
    }
    searcher->nodes++;
    if (searcher->nodes % STOP_EVERY == 0 && limits->stop && limits->stop(limits->context)) {
        searcher->is_stopped = true;
        return false;
    }
    return true;
}

bool dama_search_enter(struct dama_searcher *searcher, int ply, dama_move move)
{
    if (!count_node(searcher)) {
        return false;
    }
    const struct dama_frame *from = &searcher->frames[ply];
    struct dama_frame *to = &searcher->frames[ply + 1];
    const struct dama_rules *rules = &searcher->rules;
    to->position = searcher->kernel->make(rules, &from->position, move);
    to->counts = dama_draw_update(rules, searcher->game->draws, from->counts, &from->position,
                                  &to->position, move);
    to->hash = dama_position_hash(&to->position);
    return true;
}

bool dama_search_enter_capture(struct dama_searcher *searcher, int ply, dama_move move)
{
    if (!count_node(searcher)) {
        return false;
    }
    searcher->frames[ply + 1].position =
        searcher->kernel->make(&searcher->rules, &searcher->frames[ply].position, move);
    return true;
}

void dama_search_extend_pv(struct dama_frame *frame, dama_move move)
{
    const struct dama_frame *child = frame + 1;
    int length = child->pv_length < DAMA_PV_MAX ? child->pv_length : DAMA_PV_MAX - 1;
    frame->pv[0] = move;
    memcpy(frame->pv + 1, child->pv, (size_t)length * sizeof *frame->pv);
    frame->pv_length = length + 1;
}

/* True when the position stood on the board before, in the line or in the game: a second occurrence
   is taken for the draw that a third one would be. */
static bool repeats(struct dama_searcher *searcher, int ply)
{
    const struct dama_frame *frame = &searcher->frames[ply];
    const struct dama_game *game = searcher->game;
    for (int back = REPEAT_LEAST; back <= frame->counts.king; back += 2) {
        int earlier = ply - back;
        if (earlier < 0 && game->ply + earlier < 0) {
            return false;
        }
        uint64_t hash =
            earlier >= 0 ? searcher->frames[earlier].hash : game->plies[game->ply + earlier].hash;
        if (hash == frame->hash) {
            if (earlier >= 0 && earlier < searcher->cycle_ply) {
                searcher->cycle_ply = earlier;
            }
            return true;
        }
    }
    return false;
}

static bool is_drawn(struct dama_searcher *searcher, int ply)
{
    const struct dama_frame *frame = &searcher->frames[ply];
    if (repeats(searcher, ply)) {
        return true;
    }
    return dama_draw_by_count(&searcher->rules, searcher->game->draws, &frame->counts) !=
               DAMA_DRAW_NONE &&
           searcher->kernel->has_move(&searcher->rules, &frame->position);
}

static uint64_t count_step(uint64_t count)
{
    return count < COUNT_FREE ? 0 : count >> COUNT_STEP;
}

/* The same position with a draw much nearer is another one to the table. Endings with a short count
   are told apart to the ply. */
static uint64_t table_key(const struct dama_frame *frame)
{
    const struct dama_draw_counts *counts = &frame->counts;
    uint64_t site = counts->balance_pieces ? counts->site : count_step(counts->site);
    uint64_t diagonal = counts->diagonal_limit ? counts->diagonal + 1 : 0;
    uint64_t state = site | count_step(counts->king) << 16 | (uint64_t)counts->ending_kind << 24 |
                     (uint64_t)counts->ending << 32 | diagonal << 48;
    return frame->hash ^ state * UINT64_C(0x9e3779b97f4a7c15);
}

/* Wins are stored as distances from the position, not from the root. */
static int score_to_table(int score, int ply)
{
    if (score >= DAMA_SCORE_WIN_MIN) {
        return score + ply;
    }
    return score <= -DAMA_SCORE_WIN_MIN ? score - ply : score;
}

static int score_from_table(int score, int ply)
{
    if (score >= DAMA_SCORE_WIN_MIN) {
        return score - ply;
    }
    return score <= -DAMA_SCORE_WIN_MIN ? score + ply : score;
}

static bool answers(const struct dama_finding *found, const struct node *node)
{
    if (found->depth < node->depth) {
        return false;
    }
    int score = score_from_table(found->score, node->ply);
    return found->bound == DAMA_BOUND_EXACT ||
           (found->bound == DAMA_BOUND_LOWER && score >= node->beta) ||
           (found->bound == DAMA_BOUND_UPPER && score <= node->alpha);
}

static void store(struct dama_searcher *searcher, const struct node *node, int first_alpha,
                  bool is_tainted)
{
    struct dama_finding finding = {
        .score = score_to_table(node->best, node->ply),
        .depth = node->depth,
        .bound = node->best >= node->beta   ? DAMA_BOUND_LOWER
                 : node->best > first_alpha ? DAMA_BOUND_EXACT
                                            : DAMA_BOUND_UPPER,
        .move = node->best > first_alpha ? node->best_index : -1,
    };
    /* A draw by a cycle through this line's own past is no property of the position. */
    if (is_tainted && node->best == 0) {
        finding.bound = DAMA_BOUND_MOVE;
    }
    dama_table_store(searcher->table, table_key(&searcher->frames[node->ply]), searcher->age,
                     &finding);
}

/* Plies to take off a quiet move that comes late in the order. Decided windows are searched in
   full, so that distances to the end are right. */
static int reduction(const struct node *node, int index, bool is_quiet)
{
    if (!is_quiet || node->depth < REDUCE_DEPTH || index < REDUCE_AFTER ||
        dama_score_is_decided(node->alpha) || dama_score_is_decided(node->beta)) {
        return 0;
    }
    return 1 + (index >= REDUCE_TWO && node->depth > REDUCE_DEPTH) +
           (index >= REDUCE_THREE && node->depth >= REDUCE_DEEP);
}

/* Score of the child that was just entered, the index-th in order, at depth. */
static int search_child(struct dama_searcher *searcher, const struct node *node, int index,
                        int depth, bool is_quiet)
{
    int next = node->ply + 1;
    if (index == 0) {
        return -dama_search_node(searcher, next, depth, -node->beta, -node->alpha);
    }
    int less = reduction(node, index, is_quiet);
    int score = -dama_search_node(searcher, next, depth - less, -node->alpha - 1, -node->alpha);
    if (less && score > node->alpha && !searcher->is_stopped) {
        score = -dama_search_node(searcher, next, depth, -node->alpha - 1, -node->alpha);
    }
    if (score > node->alpha && score < node->beta && !searcher->is_stopped) {
        score = -dama_search_node(searcher, next, depth, -node->beta, -node->alpha);
    }
    return score;
}

/* Takes a child's score in; true when it refutes the position. */
static bool take(struct dama_searcher *searcher, struct node *node, int index, int score)
{
    struct dama_frame *frame = &searcher->frames[node->ply];
    dama_move move = frame->list.moves[index];
    if (score > node->best) {
        node->best = score;
        node->best_index = index;
        if (score > node->alpha) {
            node->alpha = score;
            dama_search_extend_pv(frame, move);
        }
    }
    bool is_quiet = !dama_move_is_capture(move);
    if (score >= node->beta) {
        if (is_quiet) {
            dama_order_reward(searcher, frame, move, node->tried, node->tried_count, node->depth);
        }
        return true;
    }
    if (is_quiet && node->tried_count < TRIED_MAX) {
        node->tried[node->tried_count++] = move;
    }
    return false;
}

static void search_moves(struct dama_searcher *searcher, struct node *node)
{
    struct dama_frame *frame = &searcher->frames[node->ply];
    /* A single reply costs no depth: forced lines are seen to their end. */
    bool is_forced = frame->list.count == 1 && node->ply < 2 * searcher->iteration;
    int depth = is_forced ? node->depth : node->depth - 1;
    for (int i = 0; i < frame->list.count; i++) {
        int index = dama_order_next(frame);
        dama_move move = frame->list.moves[index];
        if (!dama_search_enter(searcher, node->ply, move)) {
            return;
        }
        int score = search_child(searcher, node, i, depth, !dama_move_is_capture(move));
        if (searcher->is_stopped || take(searcher, node, index, score)) {
            return;
        }
    }
}

int dama_search_node(struct dama_searcher *searcher, int ply, int depth, int alpha, int beta)
{
    assert(alpha < beta);
    struct dama_frame *frame = &searcher->frames[ply];
    frame->pv_length = 0;
    if (is_drawn(searcher, ply)) {
        return 0;
    }
    if (depth <= 0 || ply >= DAMA_SEARCH_PLIES) {
        return dama_search_quiesce(searcher, ply, alpha, beta);
    }
    struct node node = {.ply = ply, .depth = depth, .alpha = alpha, .beta = beta, .best_index = -1};
    node.best = -DAMA_SCORE_INFINITE;
    struct dama_finding found = {.move = -1};
    /* On the principal variation the line itself is wanted, not only its score. */
    if (dama_table_probe(searcher->table, table_key(frame), &found) && beta - alpha == 1 &&
        answers(&found, &node)) {
        return score_from_table(found.score, ply);
    }
    searcher->kernel->generate(&searcher->rules, &frame->position, &frame->list);
    if (frame->list.count == 0) {
        return -(DAMA_SCORE_WIN - ply);
    }
    dama_order_rank(searcher, frame, found.move);
    int outer_cycle = searcher->cycle_ply;
    searcher->cycle_ply = INT_MAX;
    search_moves(searcher, &node);
    bool is_tainted = searcher->cycle_ply < ply;
    if (!searcher->is_stopped) {
        store(searcher, &node, alpha, is_tainted);
    }
    if (outer_cycle < searcher->cycle_ply) {
        searcher->cycle_ply = outer_cycle;
    }
    return node.best;
}
