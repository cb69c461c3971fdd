/* Move ordering: the table's move, captures by size, killers, then the history of refutations. */
#include "engine/search_state.h"

#include <assert.h>
#include <limits.h>

enum {
    RANK_FIRST = 1 << 30,
    RANK_CAPTURE = 1 << 24,
    RANK_KILLER = 1 << 20,
    RANK_USED = INT_MIN,
    CAPTURED_MAN = 2,
    CAPTURED_KING = 3,
    LESSON = 8,        /* what a refutation teaches, times the depth squared, */
    LESSON_MAX = 1024, /* at most */
};

static int capture_rank(const struct dama_frame *frame, dama_move move)
{
    uint64_t captured = dama_move_captured(move);
    uint64_t kings = captured & frame->position.kings;
    return CAPTURED_MAN * dama_bits_count(captured & ~kings) +
           CAPTURED_KING * dama_bits_count(kings) + dama_move_crowns(move);
}

static int quiet_rank(const struct dama_searcher *searcher, const struct dama_frame *frame,
                      dama_move move)
{
    for (int i = 0; i < DAMA_KILLERS; i++) {
        if (frame->killers[i] == move) {
            return RANK_KILLER - i;
        }
    }
    return searcher->history[frame->position.side][dama_move_from(move)][dama_move_to(move)];
}

void dama_order_rank(const struct dama_searcher *searcher, struct dama_frame *frame, int first)
{
    for (int i = 0; i < frame->list.count; i++) {
        dama_move move = frame->list.moves[i];
        frame->rank[i] = dama_move_is_capture(move) ? RANK_CAPTURE + capture_rank(frame, move)
                                                    : quiet_rank(searcher, frame, move);
    }
    if (first >= 0 && first < frame->list.count) {
        frame->rank[first] = RANK_FIRST;
    }
}

void dama_order_captures(struct dama_frame *frame)
{
    for (int i = 0; i < frame->list.count; i++) {
        frame->rank[i] = capture_rank(frame, frame->list.moves[i]);
    }
}

int dama_order_next(struct dama_frame *frame)
{
    assert(frame->list.count > 0);
    int best = 0;
    for (int i = 1; i < frame->list.count; i++) {
        if (frame->rank[i] > frame->rank[best]) {
            best = i;
        }
    }
    frame->rank[best] = RANK_USED;
    return best;
}

/* Moves an entry towards its limit by a share, so that it never overflows and old lessons fade. */
static void teach(int16_t *entry, int lesson)
{
    int weight = lesson < 0 ? -lesson : lesson;
    *entry = (int16_t)(*entry + lesson - *entry * weight / DAMA_HISTORY_MAX);
}

void dama_order_reward(struct dama_searcher *searcher, struct dama_frame *frame, dama_move best,
                       const dama_move *tried, int count, int depth)
{
    if (frame->killers[0] != best) {
        frame->killers[1] = frame->killers[0];
        frame->killers[0] = best;
    }
    int lesson = depth * depth * LESSON < LESSON_MAX ? depth * depth * LESSON : LESSON_MAX;
    int16_t(*table)[64] = searcher->history[frame->position.side];
    teach(&table[dama_move_from(best)][dama_move_to(best)], lesson);
    for (int i = 0; i < count; i++) {
        teach(&table[dama_move_from(tried[i])][dama_move_to(tried[i])], -lesson);
    }
}
