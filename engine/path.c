/* The paths of one capture, found again by a depth-first search that obeys the rules of its steps.
 */
#include "engine/path.h"

#include <assert.h>

/* Bit 0: to the right; bit 1: down the board. */
enum { DIRECTIONS = 4 };

/* What does not change during one search. */
struct search {
    const struct dama_rules *rules;
    uint64_t board;
    uint64_t occupied; /* all pieces but the moving one */
    uint64_t enemies;
    uint64_t kings;
    uint64_t captured; /* the set that the path must take */
    uint64_t crowning_row;
    int to;
    bool is_white;
    int64_t pattern; /* the kings (1) and men (0) met, first jump highest; -1: any order */
    const struct dama_path *given;
    enum dama_path_fit fit;
};

/* The moving piece on its way. */
struct state {
    int bit;
    bool is_king;
    int direction;   /* of the last jump; -1 at the start */
    bool is_behind;  /* it stands directly behind the last victim */
    uint64_t left;   /* still to be captured */
    int given_count; /* squares of `given` met so far */
};

static int step_of(const struct search *search, int direction)
{
    int size = search->rules->board_size;
    int step = direction & 1 ? dama_step_right(size) : dama_step_left(size);
    return direction & 2 ? step : -step;
}

/* The next square in a direction, or -1 beyond the edge. */
static int next_bit(const struct search *search, int bit, int direction)
{
    int next = bit + step_of(search, direction);
    return next >= 0 && next < 64 && search->board >> next & 1 ? next : -1;
}

static bool may_jump(const struct search *search, const struct state *state, int direction)
{
    bool is_forward = (direction & 2) == (search->is_white ? 0 : 2);
    return state->is_king || is_forward || search->rules->man_captures_backward;
}

/* Pieces that stand in the way once `taken` have been jumped. */
static uint64_t standing(const struct search *search, uint64_t taken)
{
    return search->rules->captured_leave_at_once ? search->occupied & ~taken : search->occupied;
}

/* The first piece in a direction that a jump could take: its bit, or -1. */
static int find_victim(const struct search *search, const struct state *state, int direction)
{
    uint64_t taken = search->captured & ~state->left;
    uint64_t pieces = standing(search, taken);
    bool is_flying = state->is_king && search->rules->king_flies;
    int bit = next_bit(search, state->bit, direction);
    while (is_flying && bit >= 0 && !(pieces >> bit & 1)) {
        bit = next_bit(search, bit, direction);
    }
    bool is_free_enemy = bit >= 0 && search->enemies & ~taken & pieces & UINT64_C(1) << bit;
    return is_free_enemy ? bit : -1;
}

/* The squares on which the piece may land behind a victim. */
static uint64_t find_landings(const struct search *search, const struct state *state, int victim,
                              int direction)
{
    uint64_t pieces = standing(search, search->captured & ~state->left);
    bool is_flying =
        state->is_king && search->rules->king_flies && !search->rules->king_lands_behind;
    uint64_t landings = 0;
    int bit = next_bit(search, victim, direction);
    while (bit >= 0 && !(pieces >> bit & 1)) {
        landings |= UINT64_C(1) << bit;
        bit = is_flying ? next_bit(search, bit, direction) : -1;
    }
    return landings;
}

static bool can_go_on(const struct search *search, const struct state *state)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int victim =
            may_jump(search, state, direction) ? find_victim(search, state, direction) : -1;
        bool is_allowed = victim >= 0 && (state->is_king || search->rules->man_captures_king ||
                                          !(search->kings >> victim & 1));
        if (is_allowed && find_landings(search, state, victim, direction)) {
            return true;
        }
    }
    return false;
}

/* A king that must go on where it can may end only when no landing of its last jump goes on. */
static bool may_end(const struct search *search, const struct state *state, uint64_t landings)
{
    if (state->bit != search->to) {
        return false;
    }
    if (!state->is_king || !search->rules->king_must_go_on) {
        return true;
    }
    for (; landings; landings &= landings - 1) {
        struct state other = *state;
        other.bit = dama_bits_first(landings);
        if (can_go_on(search, &other)) {
            return false;
        }
    }
    return true;
}

/* Counts the given squares that a jump meets; false when an EXACT one is missed. */
static bool meet_given(const struct search *search, const struct state *from, struct state *to)
{
    const struct dama_path *given = search->given;
    if (!given) {
        return true;
    }
    if (search->fit == DAMA_PATH_EXACT) {
        return to->given_count < given->count && given->bits[to->given_count++] == to->bit;
    }
    int bit = from->bit;
    while (bit != to->bit) {
        bit = next_bit(search, bit, to->direction);
        to->given_count +=
            to->given_count < given->count - 1 && given->bits[to->given_count] == bit;
    }
    return true;
}

static bool all_given_met(const struct search *search, const struct state *state)
{
    const struct dama_path *given = search->given;
    int needed = !given ? 0 : search->fit == DAMA_PATH_EXACT ? given->count : given->count - 1;
    return !given || state->given_count == needed;
}

/* The state after a jump over victim to landing; false when the rules or `given` forbid it. */
static bool jump(const struct search *search, const struct state *from, int victim, int landing,
                 struct state *to)
{
    *to = *from;
    to->bit = landing;
    to->left &= ~(UINT64_C(1) << victim);
    to->is_behind = next_bit(search, victim, to->direction) == landing;
    bool is_crowned = !from->is_king && search->crowning_row >> landing & 1;
    if (is_crowned && search->rules->crowning == DAMA_CROWNING_ENDS_MOVE && to->left) {
        return false;
    }
    to->is_king =
        from->is_king || (is_crowned && search->rules->crowning == DAMA_CROWNING_GOES_ON_AS_KING);
    int place = dama_bits_count(to->left);
    if (search->pattern >= 0 && (search->pattern >> place & 1) != (search->kings >> victim & 1)) {
        return false;
    }
    return meet_given(search, from, to);
}

/* Takes what is left, trying smaller squares first, so that the first path found is the smallest.
   `landings` are all those of the jump that led here. */
static bool find_path(const struct search *search, const struct state *state, uint64_t landings,
                      struct dama_path *path)
{
    assert(path->count < DAMA_PATH_MAX);
    path->bits[path->count++] = state->bit;
    if (!state->left) {
        return may_end(search, state, landings) && all_given_met(search, state);
    }
    int count = path->count;
    int victims[DIRECTIONS];
    uint64_t reached[DIRECTIONS] = {0};
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        bool is_written = direction != state->direction || state->is_behind;
        victims[direction] = is_written && may_jump(search, state, direction)
                                 ? find_victim(search, state, direction)
                                 : -1;
        if (victims[direction] >= 0 && state->left >> victims[direction] & 1) {
            reached[direction] = find_landings(search, state, victims[direction], direction);
        }
    }
    uint64_t all = reached[0] | reached[1] | reached[2] | reached[3];
    for (; all; all &= all - 1) {
        int landing = dama_bits_first(all);
        int direction = 0;
        while (!(reached[direction] >> landing & 1)) {
            direction++;
        }
        struct state from = *state, next;
        from.direction = direction;
        path->count = count;
        if (jump(search, &from, victims[direction], landing, &next) &&
            find_path(search, &next, reached[direction], path)) {
            return true;
        }
    }
    return false;
}

static bool run(const struct search *search, const struct state *start, struct dama_path *path)
{
    path->count = 0;
    return find_path(search, start, 0, path);
}

static struct search search_of(const struct dama_rules *rules, const struct dama_position *position,
                               dama_move move, struct state *start)
{
    int side = (int)position->side;
    int size = rules->board_size;
    uint64_t from = UINT64_C(1) << dama_move_from(move);
    *start = (struct state){.bit = dama_move_from(move),
                            .is_king = position->kings & from,
                            .direction = -1,
                            .left = dama_move_captured(move)};
    return (struct search){
        .rules = rules,
        .board = dama_board_all(size),
        .occupied = (position->pieces[0] | position->pieces[1]) & ~from,
        .enemies = position->pieces[!side],
        .kings = position->kings,
        .captured = dama_move_captured(move),
        .crowning_row = dama_board_row(size, side == DAMA_WHITE ? 0 : size - 1),
        .to = dama_move_to(move),
        .is_white = side == DAMA_WHITE,
        .pattern = -1,
    };
}

/* Under the rule of kings met earliest only the orders with the highest pattern are legal. */
static void fix_pattern(struct search *search, const struct state *start)
{
    int64_t pattern = 0;
    int kings_left = dama_bits_count(search->captured & search->kings);
    if (!search->rules->kings_earliest || !kings_left) {
        return;
    }
    struct dama_path path;
    int count = dama_bits_count(search->captured);
    /* The highest number with so many bits that has a path; patterns descend from all kings first.
     */
    for (pattern = (INT64_C(1) << count) - 1; pattern > 0; pattern--) {
        search->pattern = pattern;
        if (dama_bits_count((uint64_t)pattern) == kings_left && run(search, start, &path)) {
            return;
        }
    }
    assert(!"a legal capture has a path");
}

void dama_path_smallest(const struct dama_rules *rules, const struct dama_position *position,
                        dama_move move, struct dama_path *out)
{
    if (!dama_move_is_capture(move)) {
        *out = (struct dama_path){.count = 2, .bits = {dama_move_from(move), dama_move_to(move)}};
        return;
    }
    struct state start;
    struct search search = search_of(rules, position, move, &start);
    fix_pattern(&search, &start);
    bool is_found = run(&search, &start, out);
    assert(is_found);
    (void)is_found;
}

bool dama_path_fits(const struct dama_rules *rules, const struct dama_position *position,
                    dama_move move, const struct dama_path *given, enum dama_path_fit fit)
{
    assert(given->count >= 2);
    if (given->bits[0] != dama_move_from(move) ||
        given->bits[given->count - 1] != dama_move_to(move)) {
        return false;
    }
    if (given->count == 2 && (fit == DAMA_PATH_PASSED || !dama_move_is_capture(move))) {
        return true;
    }
    if (!dama_move_is_capture(move)) {
        return false;
    }
    struct state start;
    struct search search = search_of(rules, position, move, &start);
    fix_pattern(&search, &start);
    search.given = given;
    search.fit = fit;
    start.given_count = 1;
    struct dama_path path;
    return run(&search, &start, &path);
}
