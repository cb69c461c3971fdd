/* Quiescence: captures are followed until none is left, so that no score is taken in mid-exchange.
 */
#include "engine/search_state.h"

static int lost(int ply)
{
    return -(DAMA_SCORE_WIN - ply);
}

static int evaluate(const struct dama_searcher *searcher, const struct dama_frame *frame)
{
    return searcher->kernel->evaluate(&searcher->rules, &frame->position, &searcher->weights);
}

/* Keeps only the captures of a list of all moves; true when there was a quiet one. */
static bool drop_quiet_moves(struct dama_move_list *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (dama_move_is_capture(list->moves[i])) {
            list->moves[kept++] = list->moves[i];
        }
    }
    bool had_quiet = kept < list->count;
    list->count = kept;
    return had_quiet;
}

/* Lists the captures to follow. A score that needs no capture is put into *score: true then. */
static bool stands(const struct dama_searcher *searcher, struct dama_frame *frame, int ply,
                   int *score)
{
    const struct dama_rules *rules = &searcher->rules;
    if (rules->capture_mandatory) {
        searcher->kernel->captures(rules, &frame->position, &frame->list);
        if (frame->list.count > 0) {
            return false;
        }
        *score = searcher->kernel->has_move(rules, &frame->position) ? evaluate(searcher, frame)
                                                                     : lost(ply);
        return true;
    }
    searcher->kernel->generate(rules, &frame->position, &frame->list);
    if (frame->list.count == 0) {
        *score = lost(ply);
        return true;
    }
    /* The side may decline to capture, unless it has nothing else. */
    if (!drop_quiet_moves(&frame->list)) {
        return false;
    }
    *score = evaluate(searcher, frame);
    return true;
}

int dama_search_quiesce(struct dama_searcher *searcher, int ply, int alpha, int beta)
{
    struct dama_frame *frame = &searcher->frames[ply];
    frame->pv_length = 0;
    int best = -DAMA_SCORE_INFINITE;
    if (stands(searcher, frame, ply, &best)) {
        if (best >= beta || frame->list.count == 0) {
            return best;
        }
        alpha = best > alpha ? best : alpha;
    }
    dama_order_captures(frame);
    for (int i = 0; i < frame->list.count; i++) {
        dama_move move = frame->list.moves[dama_order_next(frame)];
        if (!dama_search_enter_capture(searcher, ply, move)) {
            return best;
        }
        int score = -dama_search_quiesce(searcher, ply + 1, -beta, -alpha);
        if (searcher->is_stopped) {
            return best;
        }
        if (score > best) {
            best = score;
            if (score >= beta) {
                return best;
            }
            if (score > alpha) {
                alpha = score;
                dama_search_extend_pv(frame, move);
            }
        }
    }
    return best;
}
