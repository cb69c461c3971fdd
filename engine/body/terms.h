/* The evaluation's terms: one function emits every coefficient, and yields both the score and the
   training trace. Compiled in each body, where the rules' fields are constants. */
#ifndef DAMA_BODY_TERMS_H
#define DAMA_BODY_TERMS_H

#include <string.h>

#include "engine/body/view.h"
#include "engine/evaluate.h"

/* Where emitted values go: into two weighted sums, or into a trace. One of the pointers is NULL,
   and known to be when the terms are inlined. All values are White's view; the caller turns them.
 */
struct sink {
    const struct dama_weights *weights;
    int32_t sum[DAMA_PHASES]; /* below 2^31: about 60 weights of 2^15 times counts below 50 */
    struct dama_trace *trace;
};

DAMA_HOT void emit(struct sink *sink, int index, int value)
{
    if (sink->trace) {
        sink->trace->value[index] = (int16_t)(sink->trace->value[index] + value);
        return;
    }
    sink->sum[0] += sink->weights->w[0][index] * value;
    sink->sum[1] += sink->weights->w[1][index] * value;
}

/* Emits a count of White's less the same count of Black's. */
DAMA_HOT void emit_sets(struct sink *sink, int index, uint64_t white, uint64_t black)
{
    emit(sink, index, dama_bits_count(white) - dama_bits_count(black));
}

DAMA_HOT void emit_material(struct sink *sink, const struct view *w, const struct view *b,
                            int phase_max)
{
    emit_sets(sink, DAMA_FEATURE_man, w->men, b->men);
    int white = dama_bits_count(w->own);
    int black = dama_bits_count(b->own);
    int quarter = ((white + black) * 4 - 1) / phase_max;
    if (white != black && quarter < 3) {
        emit(sink, DAMA_FEATURE_trade_when_ahead + quarter, white > black ? 1 : -1);
    }
}

/* Occupancy of the four inner squares of the back row, seen from its side: bit 0 is its left. The
   row's fifth square of 10x10, in the corner of the long diagonal, guards least and is left out. */
DAMA_HOT unsigned back_row_pattern(const struct view *v)
{
    static const unsigned char reversed[16] = {0, 8, 4, 12, 2, 10, 6, 14,
                                               1, 9, 5, 13, 3, 11, 7, 15};
    int squares = v->board_size * v->board_size / 2;
    if (v->colour == DAMA_WHITE) {
        return v->men >> dama_square_bit(v->board_size, squares - 3) & 15;
    }
    return reversed[v->men >> dama_square_bit(v->board_size, 1) & 15];
}

DAMA_HOT void emit_back_row(struct sink *sink, const struct view *v, int value)
{
    unsigned pattern = back_row_pattern(v);
    if (pattern) {
        emit(sink, DAMA_FEATURE_back_row + (int)pattern - 1, value);
    }
}

/* Own men 1..4 steps from crowning from which no opposing piece stands ahead, in the cone of
   squares that they can step through. */
DAMA_HOT uint64_t runaway_men(const struct view *v)
{
    uint64_t all = layout_of(v->board_size)->all;
    uint64_t cone = v->others;
    cone |= (behind_left(v, cone) | behind_right(v, cone)) & all;
    cone |= (behind_left(v, cone) | behind_right(v, cone)) & all;
    cone |= (behind_left(v, cone) | behind_right(v, cone)) & all;
    cone |= behind_left(v, cone) | behind_right(v, cone);
    uint64_t rows = row_ahead(v, 1) | row_ahead(v, 2) | row_ahead(v, 3) | row_ahead(v, 4);
    return v->men & rows & ~cone;
}

/* Emits the men of both views that are so many steps from crowning, in a list by steps. Called for
   each number, so that the rows are constants. */
DAMA_HOT void emit_row(struct sink *sink, int list, const struct view *w, const struct view *b,
                       int steps)
{
    emit_sets(sink, list + steps - 1, w->men & row_ahead(w, steps), b->men & row_ahead(b, steps));
}

DAMA_HOT void emit_advance(struct sink *sink, const struct view *w, const struct view *b)
{
    emit_row(sink, DAMA_FEATURE_advance, w, b, 1);
    emit_row(sink, DAMA_FEATURE_advance, w, b, 2);
    emit_row(sink, DAMA_FEATURE_advance, w, b, 3);
    emit_row(sink, DAMA_FEATURE_advance, w, b, 4);
    emit_row(sink, DAMA_FEATURE_advance, w, b, 5);
    if (w->board_size == 10) {
        emit_row(sink, DAMA_FEATURE_advance, w, b, 6);
        emit_row(sink, DAMA_FEATURE_advance, w, b, 7);
    }
}

DAMA_HOT void emit_runaways(struct sink *sink, const struct view *w, const struct view *b)
{
    struct view white = *w;
    struct view black = *b;
    white.men = runaway_men(w);
    black.men = runaway_men(b);
    if (white.men | black.men) {
        emit_row(sink, DAMA_FEATURE_runaway, &white, &black, 1);
        emit_row(sink, DAMA_FEATURE_runaway, &white, &black, 2);
        emit_row(sink, DAMA_FEATURE_runaway, &white, &black, 3);
        emit_row(sink, DAMA_FEATURE_runaway, &white, &black, 4);
    }
}

/* The side of the board on which men crowd: how many more one half has than the other. */
DAMA_HOT int imbalance(const struct view *v)
{
    uint64_t left = layout_of(v->board_size)->left;
    int more = dama_bits_count(v->men & left) - dama_bits_count(v->men & ~left);
    return more < 0 ? -more : more;
}

DAMA_HOT void emit_structure(struct sink *sink, const struct view *w, const struct view *b)
{
    const struct layout *layout = layout_of(w->board_size);
    emit_back_row(sink, w, 1);
    emit_back_row(sink, b, -1);
    emit_advance(sink, w, b);
    emit_runaways(sink, w, b);
    emit_sets(sink, DAMA_FEATURE_centre, w->men & layout->centre, b->men & layout->centre);
    if (layout->around) {
        emit_sets(sink, DAMA_FEATURE_centre + 1, w->men & layout->around, b->men & layout->around);
    }
    emit_sets(sink, DAMA_FEATURE_edge, w->men & layout->sides, b->men & layout->sides);
    emit(sink, DAMA_FEATURE_balance, imbalance(w) - imbalance(b));
    emit_sets(sink, DAMA_FEATURE_supported,
              w->men & (ahead_left(w, w->own) | ahead_right(w, w->own)),
              b->men & (ahead_left(b, b->own) | ahead_right(b, b->own)));
    emit_sets(sink, DAMA_FEATURE_supported + 1,
              w->men & ahead_left(w, w->own) & ahead_right(w, w->own),
              b->men & ahead_left(b, b->own) & ahead_right(b, b->own));
}

/* The opposing pieces that could take a man (or, of kings_only, a king) towards their own ahead,
   and those that could take towards their own behind. */
struct takers {
    uint64_t ahead, behind;
};
DAMA_HOT struct takers takers_of(const struct dama_rules *rules, const struct view *v, bool of_king)
{
    if (of_king && !rules->man_captures_king) {
        return (struct takers){v->other_kings, v->other_kings};
    }
    return (struct takers){v->others, rules->man_captures_backward ? v->others : v->other_kings};
}

/* Squares on which a piece of this side is next to a taker that has an empty square to land on. */
DAMA_HOT uint64_t takeable(const struct view *v, struct takers takers, uint64_t empty)
{
    return (behind_right(v, takers.ahead) & ahead_left(v, empty)) |
           (behind_left(v, takers.ahead) & ahead_right(v, empty)) |
           (ahead_right(v, takers.behind) & behind_left(v, empty)) |
           (ahead_left(v, takers.behind) & behind_right(v, empty));
}

struct steps {
    int quiet, safe, blocked;
};
/* Steps of men. After a step the square it began on is empty: a taker that stands straight ahead
   can land there, and none stands there. */
DAMA_HOT struct steps steps_of_men(const struct dama_rules *rules, const struct view *v)
{
    struct takers takers = takers_of(rules, v, false);
    uint64_t left = ahead_left(v, v->men) & v->empty;
    uint64_t right = ahead_right(v, v->men) & v->empty;
    uint64_t left_risk = behind_right(v, takers.ahead) |
                         (behind_left(v, takers.ahead) & ahead_right(v, v->empty)) |
                         (ahead_right(v, takers.behind) & behind_left(v, v->empty));
    uint64_t right_risk = behind_left(v, takers.ahead) |
                          (behind_right(v, takers.ahead) & ahead_left(v, v->empty)) |
                          (ahead_left(v, takers.behind) & behind_right(v, v->empty));
    uint64_t movable = behind_right(v, left) | behind_left(v, right);
    return (struct steps){
        .quiet = dama_bits_count(left) + dama_bits_count(right),
        .safe = dama_bits_count(left & ~left_risk) + dama_bits_count(right & ~right_risk),
        .blocked = dama_bits_count(v->men & ~movable),
    };
}

DAMA_HOT void emit_steps(struct sink *sink, const struct dama_rules *rules, const struct view *w,
                         const struct view *b)
{
    struct steps white = steps_of_men(rules, w);
    struct steps black = steps_of_men(rules, b);
    emit(sink, DAMA_FEATURE_mobility, white.quiet - black.quiet);
    emit(sink, DAMA_FEATURE_mobility + 1, white.safe - black.safe);
    emit(sink, DAMA_FEATURE_blocked, white.blocked - black.blocked);
}

/* Squares that a king can move to. */
DAMA_HOT uint64_t reach_of_kings(const struct dama_rules *rules, const struct view *v)
{
    uint64_t reach = rules->king_flies ? seen_from(v, v->kings) : neighbours(v, v->kings);
    return reach & v->empty;
}

/* Kings that can move to no square where a neighbour cannot take them. Their own square counts as
   empty when it is asked who can take them elsewhere. */
DAMA_HOT uint64_t trapped_kings(const struct dama_rules *rules, const struct view *v)
{
    struct takers takers = takers_of(rules, v, true);
    uint64_t safe = v->empty & ~takeable(v, takers, v->empty | v->kings);
    uint64_t trapped = v->kings & ~neighbours(v, safe);
    return rules->king_flies && trapped ? trapped & ~seen_from(v, safe) : trapped;
}

DAMA_HOT int kings_on_long_diagonal(const struct view *v)
{
    return (v->kings & layout_of(v->board_size)->long_diagonal) != 0;
}
DAMA_HOT int kings_alone_on_long_diagonal(const struct view *v)
{
    return kings_on_long_diagonal(v) && !(v->others & layout_of(v->board_size)->long_diagonal);
}
/* Opposing pieces at most two diagonal steps away from a king. */
DAMA_HOT uint64_t pieces_near_kings(const struct view *v)
{
    uint64_t near = neighbours(v, v->kings);
    return (near | neighbours(v, near)) & v->others;
}
DAMA_HOT uint64_t men_behind_kings(const struct view *v)
{
    return v->men & (behind_left(v, v->kings) | behind_right(v, v->kings));
}

DAMA_HOT void emit_kings(struct sink *sink, const struct dama_rules *rules, const struct view *w,
                         const struct view *b)
{
    const struct layout *layout = layout_of(w->board_size);
    emit_sets(sink, DAMA_FEATURE_king, w->kings, b->kings);
    emit(sink, DAMA_FEATURE_first_king,
         (w->kings && !b->kings ? 1 : 0) - (b->kings && !w->kings ? 1 : 0));
    emit_sets(sink, DAMA_FEATURE_centre + 2, w->kings & layout->centre, b->kings & layout->centre);
    emit_sets(sink, DAMA_FEATURE_edge + 1, w->kings & layout->rim, b->kings & layout->rim);
    emit_sets(sink, DAMA_FEATURE_king_mobility, w->kings ? reach_of_kings(rules, w) : 0,
              b->kings ? reach_of_kings(rules, b) : 0);
    emit_sets(sink, DAMA_FEATURE_trapped_king, w->kings ? trapped_kings(rules, w) : 0,
              b->kings ? trapped_kings(rules, b) : 0);
    emit_sets(sink, DAMA_FEATURE_corner_king, w->kings & layout->ends, b->kings & layout->ends);
    emit_sets(sink, DAMA_FEATURE_corner_king + 1, w->kings & layout->double_corners,
              b->kings & layout->double_corners);
    emit(sink, DAMA_FEATURE_long_diagonal, kings_on_long_diagonal(w) - kings_on_long_diagonal(b));
    emit(sink, DAMA_FEATURE_long_diagonal + 1,
         kings_alone_on_long_diagonal(w) - kings_alone_on_long_diagonal(b));
    emit_sets(sink, DAMA_FEATURE_king_distance, pieces_near_kings(w), pieces_near_kings(b));
    emit_sets(sink, DAMA_FEATURE_king_company, w->kings & neighbours(w, w->own),
              b->kings & neighbours(b, b->own));
    if (!rules->man_captures_king) {
        emit_sets(sink, DAMA_FEATURE_king_shields, men_behind_kings(w), men_behind_kings(b));
    }
}

/* Own pieces that a neighbour could take if the opponent were to move now. */
DAMA_HOT int pieces_en_prise(const struct dama_rules *rules, const struct view *v)
{
    uint64_t men = v->men & takeable(v, takers_of(rules, v, false), v->empty);
    uint64_t kings = v->kings & takeable(v, takers_of(rules, v, true), v->empty);
    return dama_bits_count(men | kings);
}

/* What depends on who is to move. With as many pieces on each side, the side to move has the
   opposition when the pieces in one of the two systems of rows are odd in number; as their whole
   number is even, it does not matter in which. */
DAMA_HOT void emit_turn(struct sink *sink, const struct dama_rules *rules, const struct view *w,
                        const struct view *b, bool white_moves)
{
    int sign = white_moves ? 1 : -1;
    emit(sink, DAMA_FEATURE_turn, sign);
    emit(sink, DAMA_FEATURE_en_prise,
         white_moves ? pieces_en_prise(rules, w) : -pieces_en_prise(rules, b));
    if (dama_bits_count(w->own) == dama_bits_count(b->own)) {
        uint64_t system = (w->own | b->own) & layout_of(w->board_size)->odd_rows;
        int owner = dama_bits_count(system) % 2 ? sign : -sign;
        emit(sink, DAMA_FEATURE_the_move + (w->kings || b->kings), owner);
    }
}

/* Emits everything, White's view; returns the phase. */
DAMA_HOT int terms(const struct dama_rules *rules, const struct dama_position *position,
                   struct sink *sink)
{
    struct view white = view_of(rules->board_size, position, DAMA_WHITE);
    struct view black = view_of(rules->board_size, position, DAMA_BLACK);
    int phase_max = 2 * dama_rules_men(rules);
    emit_material(sink, &white, &black, phase_max);
    emit_structure(sink, &white, &black);
    emit_steps(sink, rules, &white, &black);
    if (position->kings) {
        emit_kings(sink, rules, &white, &black);
    }
    emit_turn(sink, rules, &white, &black, position->side == DAMA_WHITE);
    int pieces = dama_bits_count(white.own | black.own);
    return pieces < phase_max ? pieces : phase_max;
}

/* The kernel's evaluate: call it with the body's fixed(rules). */
DAMA_HOT int terms_score(const struct dama_rules *rules, const struct dama_position *position,
                         const struct dama_weights *weights)
{
    struct sink sink = {.weights = weights};
    int phase = terms(rules, position, &sink);
    int phase_max = 2 * dama_rules_men(rules);
    int64_t sum = (int64_t)sink.sum[0] * phase + (int64_t)sink.sum[1] * (phase_max - phase);
    return dama_score_of_sum(position->side == DAMA_WHITE ? sum : -sum, phase_max);
}

/* The kernel's trace, likewise. */
DAMA_HOT void terms_trace(const struct dama_rules *rules, const struct dama_position *position,
                          struct dama_trace *trace)
{
    memset(trace, 0, sizeof *trace);
    struct sink sink = {.trace = trace};
    trace->phase = terms(rules, position, &sink);
    trace->phase_max = 2 * dama_rules_men(rules);
    if (position->side == DAMA_BLACK) {
        for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
            trace->value[i] = (int16_t)-trace->value[i];
        }
    }
}

#endif
