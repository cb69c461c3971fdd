/* Draw rules: what each count counts, and which rule ends the game. */
#include "engine/draw.h"

/* Endings that have a count of their own from when they arise; a position has at most one. */
enum ending {
    ENDING_NONE,
    ENDING_THREE_KINGS,
    ENDING_THREE_PIECES,
    ENDING_TWO_PIECES,
    ENDING_TWO_KINGS,
    ENDING_FEW_PIECES,
};

enum {
    SITE_REPETITIONS = 3,
    FEW_PIECES = 4,
    BALANCE_PIECES = 7,
};

/* Pieces and kings of the side that has more pieces and of the other one. */
struct material {
    int stronger;
    int pieces[2], kings[2]; /* [0] of the stronger side */
};

const char *dama_draw_reason_text(enum dama_draw_reason reason)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_DRAW_REASONS(X)
#undef X
    };
    return texts[reason];
}

const char *dama_draw_rules_text(enum dama_draw_rules draws)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_DRAW_RULES(X)
#undef X
    };
    return texts[draws];
}

enum dama_draw_rules dama_draw_rules_default(const struct dama_rules *rules)
{
    return rules->site_plies ? DAMA_DRAWS_SITE : DAMA_DRAWS_FEDERATION;
}

enum dama_status dama_draw_rules_check(const struct dama_rules *rules, enum dama_draw_rules draws,
                                       struct dama_error *err)
{
    if (draws == DAMA_DRAWS_SITE && !rules->site_plies) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "draw rules: site has no count for %s, expected federation", rules->name);
    }
    return DAMA_OK;
}

int dama_draw_repetitions(const struct dama_rules *rules, enum dama_draw_rules draws)
{
    return draws == DAMA_DRAWS_SITE ? SITE_REPETITIONS : rules->repetitions;
}

static struct material weigh(const struct dama_position *position)
{
    int white = dama_bits_count(position->pieces[DAMA_WHITE]);
    int black = dama_bits_count(position->pieces[DAMA_BLACK]);
    int stronger = black > white ? DAMA_BLACK : DAMA_WHITE;
    return (struct material){
        .stronger = stronger,
        .pieces = {black > white ? black : white, black > white ? white : black},
        .kings = {dama_bits_count(dama_position_kings(position, stronger)),
                  dama_bits_count(dama_position_kings(position, !stronger))},
    };
}

/* Two pieces against a lone king, a king among the two, or king against king, as
   International counts. */
static bool is_two_pieces(const struct material *m)
{
    return m->pieces[1] == 1 && m->kings[1] == 1 && m->pieces[0] <= 2 && m->kings[0] >= 1;
}

/* As that, and two kings against two kings or against king and man, as Brazilian counts. */
static bool is_two_kings(const struct material *m)
{
    int kings = m->kings[0] + m->kings[1];
    bool is_two_against_two = m->pieces[0] == 2 && m->pieces[1] == 2 && m->kings[0] >= 1 &&
                              m->kings[1] >= 1 && kings >= 3;
    return is_two_pieces(m) || is_two_against_two;
}

/* The first ending of the list that the rules count and the material has. */
static enum ending find_ending(const struct dama_rules *rules, const struct material *m)
{
    bool is_lone_king = m->pieces[1] == 1 && m->kings[1] == 1;
    if (rules->three_kings_plies && is_lone_king && m->kings[0] >= 3 &&
        m->kings[0] == m->pieces[0]) {
        return ENDING_THREE_KINGS;
    }
    if (rules->three_pieces_plies && is_lone_king && m->pieces[0] == 3 && m->kings[0] >= 1) {
        return ENDING_THREE_PIECES;
    }
    if (rules->two_pieces_plies && is_two_pieces(m)) {
        return ENDING_TWO_PIECES;
    }
    if (rules->two_kings_plies && is_two_kings(m)) {
        return ENDING_TWO_KINGS;
    }
    if (rules->few_pieces_plies && m->pieces[0] <= FEW_PIECES && m->kings[0] >= 1 &&
        m->kings[1] >= 1) {
        return ENDING_FEW_PIECES;
    }
    return ENDING_NONE;
}

/* Pieces on the board when the balance rule counts them: both sides have a king, seven at most. */
static int balance_pieces(const struct dama_rules *rules, const struct material *m)
{
    int pieces = m->pieces[0] + m->pieces[1];
    bool is_counted = rules->balance_3_plies || rules->balance_5_plies || rules->balance_7_plies;
    return is_counted && m->kings[0] && m->kings[1] && pieces <= BALANCE_PIECES ? pieces : 0;
}

/* The squares of the long diagonal, a1-h8 (a1-j10). */
static uint64_t long_diagonal(int board_size)
{
    uint64_t diagonal = 0;
    for (int row = 0; row < board_size; row++) {
        int column = board_size - 1 - row;
        int square = row * board_size / 2 + column / 2 + 1;
        diagonal |= UINT64_C(1) << dama_square_bit(board_size, square);
    }
    return diagonal;
}

/* The limit of a lone king on the long diagonal here, 0 when the rule does not apply. */
static int diagonal_limit(const struct dama_rules *rules, const struct dama_position *position)
{
    if (dama_bits_count(position->pieces[0] | position->pieces[1]) != FEW_PIECES) {
        return 0;
    }
    struct material m = weigh(position);
    uint64_t lone = dama_position_kings(position, !m.stronger);
    if (m.pieces[1] != 1 || !(lone & long_diagonal(rules->board_size))) {
        return 0;
    }
    return m.kings[0] == 3 && rules->long_diagonal_kings_plies ? rules->long_diagonal_kings_plies
                                                               : rules->long_diagonal_pieces_plies;
}

static uint16_t one_more(uint16_t count)
{
    return (uint16_t)(count + (count < UINT16_MAX));
}

/* A rule of n moves of the stronger side is kept as 2n plies: the ply before is counted too when
   that side moves first, so that the limit is met exactly behind its n-th move. */
static uint16_t first_count(const struct dama_position *position)
{
    return position->side == (uint64_t)weigh(position).stronger;
}

static void count_diagonal(const struct dama_rules *rules, struct dama_draw_counts *counts,
                           const struct dama_position *position)
{
    if (!rules->long_diagonal_pieces_plies && !rules->long_diagonal_kings_plies) {
        return;
    }
    int limit = diagonal_limit(rules, position);
    counts->diagonal = !limit                   ? 0
                       : counts->diagonal_limit ? one_more(counts->diagonal)
                                                : first_count(position);
    counts->diagonal_limit = (uint16_t)limit;
}

/* Whether the count runs on when a capture or crowning changes the material inside the ending: the
   two FMJD counts are fixed from when they arise, and few pieces stay few. The others count from
   when the present balance of forces arose. */
static bool is_fixed(enum ending ending)
{
    return ending == ENDING_THREE_PIECES || ending == ENDING_TWO_PIECES ||
           ending == ENDING_FEW_PIECES;
}

/* Brings the ending up to date after a capture or crowning, or at the start. */
static void count_ending(const struct dama_rules *rules, struct dama_draw_counts *counts,
                         const struct dama_position *position)
{
    struct material m = weigh(position);
    enum ending ending = find_ending(rules, &m);
    if (ending == counts->ending_kind && is_fixed(ending)) {
        counts->ending = one_more(counts->ending);
    } else {
        counts->ending = ending == ENDING_THREE_KINGS ? first_count(position) : 0;
    }
    counts->ending_kind = (uint8_t)ending;
    counts->balance_pieces = (uint8_t)balance_pieces(rules, &m);
}

struct dama_draw_counts dama_draw_start(const struct dama_rules *rules, enum dama_draw_rules draws,
                                        const struct dama_position *position)
{
    struct dama_draw_counts counts = {0};
    if (draws == DAMA_DRAWS_FEDERATION) {
        count_ending(rules, &counts, position);
        count_diagonal(rules, &counts, position);
    }
    return counts;
}

void dama_draw_update_federation(const struct dama_rules *rules, struct dama_draw_counts *counts,
                                 const struct dama_position *after, bool is_material_changed)
{
    if (is_material_changed) {
        count_ending(rules, counts, after);
    } else if (counts->ending_kind) {
        counts->ending = one_more(counts->ending);
    }
    count_diagonal(rules, counts, after);
}

static bool is_over(int count, int limit)
{
    return limit && count >= limit;
}

static enum dama_draw_reason ending_reason(const struct dama_rules *rules,
                                           const struct dama_draw_counts *counts)
{
    static const enum dama_draw_reason reasons[] = {
        [ENDING_NONE] = DAMA_DRAW_NONE,
        [ENDING_THREE_KINGS] = DAMA_DRAW_THREE_KINGS,
        [ENDING_THREE_PIECES] = DAMA_DRAW_THREE_PIECES,
        [ENDING_TWO_PIECES] = DAMA_DRAW_TWO_PIECES,
        [ENDING_TWO_KINGS] = DAMA_DRAW_TWO_KINGS,
        [ENDING_FEW_PIECES] = DAMA_DRAW_FEW_PIECES,
    };
    const int limits[] = {
        [ENDING_NONE] = 0,
        [ENDING_THREE_KINGS] = rules->three_kings_plies,
        [ENDING_THREE_PIECES] = rules->three_pieces_plies,
        [ENDING_TWO_PIECES] = rules->two_pieces_plies,
        [ENDING_TWO_KINGS] = rules->two_kings_plies,
        [ENDING_FEW_PIECES] = rules->few_pieces_plies,
    };
    return is_over(counts->ending, limits[counts->ending_kind]) ? reasons[counts->ending_kind]
                                                                : DAMA_DRAW_NONE;
}

static int balance_limit(const struct dama_rules *rules, int pieces)
{
    if (!pieces) {
        return 0;
    }
    return pieces <= 3   ? rules->balance_3_plies
           : pieces <= 5 ? rules->balance_5_plies
                         : rules->balance_7_plies;
}

enum dama_draw_reason dama_draw_by_federation(const struct dama_rules *rules,
                                              const struct dama_draw_counts *counts)
{
    if (is_over(counts->diagonal, counts->diagonal_limit)) {
        return DAMA_DRAW_LONG_DIAGONAL;
    }
    enum dama_draw_reason ending =
        counts->ending_kind ? ending_reason(rules, counts) : DAMA_DRAW_NONE;
    if (ending) {
        return ending;
    }
    /* The balance is unchanged since the last capture or crowning, which is what `site` counts. */
    if (is_over(counts->site, balance_limit(rules, counts->balance_pieces))) {
        return DAMA_DRAW_BALANCE;
    }
    if (is_over(counts->king, rules->king_move_plies)) {
        return DAMA_DRAW_KING_MOVES;
    }
    if (rules->site_count_too && is_over(counts->site, rules->site_plies)) {
        return DAMA_DRAW_SITE;
    }
    return DAMA_DRAW_NONE;
}
