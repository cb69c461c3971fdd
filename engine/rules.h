/* The rules of a draughts game as data: one struct, its fields from one list, one constant per
 * variant. */
#ifndef DAMA_RULES_H
#define DAMA_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/error.h"

/* What happens when a man reaches its last row in the middle of a capture. */
#define DAMA_CROWNINGS(X)                                                                \
    X(ENDS_MOVE, "ends_move")             /* crowned, and the move ends there */         \
    X(GOES_ON_AS_KING, "goes_on_as_king") /* a king at once, goes on as one if it can */ \
    X(GOES_ON_AS_MAN, "goes_on_as_man")   /* goes on as a man; crowned only if it ends there */

/* How a board's squares are numbered officially, against the grid numbering (board.h). */
#define DAMA_NUMBERINGS(X)                                                                      \
    X(GRID, "grid")                   /* as the grid: row by row from the top, left to right */ \
    X(ROWS_REVERSED, "rows_reversed") /* Italian: each row from the other end */                \
    X(FROM_BOTTOM, "from_bottom")     /* Spanish: the bottom row first */                       \
    X(ALGEBRAIC, "algebraic")         /* a1 style, a1 the lower left corner */

#define DAMA_COLOURS(X) \
    X(WHITE, "white")   \
    X(BLACK, "black")

#define DAMA_RESULT_STYLES(X) \
    X(ONE_ZERO, "1-0")        \
    X(TWO_ZERO, "2-0")

#define DAMA_CAPTURE_SIGNS(X) \
    X(CROSS, "x")             \
    X(COLON, ":")

/* The rule fields: kind, C type or enumeration, name, meaning. Kinds: INT (low, high in `extra`),
   BOOL, ENUM. A count in plies is 0 when the variant has no such rule. */
#define DAMA_RULE_FIELDS(INT, BOOL, ENUM)                                                          \
    INT(board_size, 8, 10, "rows and columns: 8 or 10")                                            \
    INT(men_rows, 1, 4, "rows of men of each side at the start")                                   \
    ENUM(first_mover, colour, COLOURS, "the side that moves first")                                \
    BOOL(man_captures_backward, "a man may capture backward")                                      \
    BOOL(man_captures_king, "a man may capture a king")                                            \
    BOOL(king_flies, "a king moves and captures over any distance")                                \
    BOOL(king_lands_behind, "a flying king lands directly behind its victim (Thai)")               \
    BOOL(king_must_go_on, "a king must choose a landing square from which the capture goes on")    \
    BOOL(captured_leave_at_once, "captured pieces leave during the move, not at its end (Thai)")   \
    BOOL(capture_mandatory, "a side that can capture must; false is the house rule")               \
    BOOL(most_pieces, "among captures, those of most pieces")                                      \
    BOOL(king_captures_first, "if a king can capture, only captures by kings (Czech)")             \
    BOOL(prefer_king_capturer, "at equal count a king captures rather than a man (Italian 2)")     \
    BOOL(most_kings, "at equal count the captures of most kings (Italian 3, Spanish)")             \
    BOOL(kings_earliest, "then those that meet their kings earliest (Italian 4)")                  \
    ENUM(crowning, crowning, CROWNINGS, "a man on its last row in mid-capture")                    \
    ENUM(numbering, numbering, NUMBERINGS, "official squares against the grid")                    \
    ENUM(capture_sign, capture_sign, CAPTURE_SIGNS, "the sign of a capture in PDN")                \
    ENUM(result_style, result_style, RESULT_STYLES, "how PDN writes a win")                        \
    INT(game_type, 0, 50, "PDN GameType number; 0 is none")                                        \
    INT(king_value, 100, 1000, "a king before any tuning, hundredths of a man")                    \
    INT(site_plies, 0, 1000, "site: plies without capture and without crowning")                   \
    INT(repetitions, 0, 10, "federation: occurrences of a position that draw")                     \
    INT(king_move_plies, 0, 1000, "federation: plies of kings without capture or man's move")      \
    BOOL(site_count_too, "federation: the site's count holds as well (Czech)")                     \
    INT(three_kings_plies, 0, 1000, "3 or more kings v 1 king, from when it arises")               \
    INT(three_pieces_plies, 0, 1000, "3 pieces, a king among them, v 1 king, from when it arises") \
    INT(long_diagonal_pieces_plies, 0, 1000, "3 pieces v a lone king on the long diagonal")        \
    INT(long_diagonal_kings_plies, 0, 1000, "3 kings v a lone king on the long diagonal")          \
    INT(two_pieces_plies, 0, 1000, "2 kings, king and man or king v king, from when it arises")    \
    INT(two_kings_plies, 0, 1000, "as two_pieces_plies, and 2 kings v 2 kings or v king and man")  \
    INT(few_pieces_plies, 0, 1000, "both sides have a king and at most 4 pieces")                  \
    INT(balance_3_plies, 0, 1000, "kings on both sides, balance unchanged, 2-3 pieces")            \
    INT(balance_5_plies, 0, 1000, "the same, 4-5 pieces")                                          \
    INT(balance_7_plies, 0, 1000, "the same, 6-7 pieces")

#define X(name, text) DAMA_CROWNING_##name,
enum dama_crowning { DAMA_CROWNINGS(X) };
#undef X
#define X(name, text) DAMA_NUMBERING_##name,
enum dama_numbering { DAMA_NUMBERINGS(X) };
#undef X
#define X(name, text) DAMA_##name,
enum dama_colour { DAMA_COLOURS(X) };
#undef X
#define X(name, text) DAMA_RESULT_##name,
enum dama_result_style { DAMA_RESULT_STYLES(X) };
#undef X
#define X(name, text) DAMA_CAPTURE_##name,
enum dama_capture_sign { DAMA_CAPTURE_SIGNS(X) };
#undef X

enum { DAMA_NAME_SIZE = 48, DAMA_HASH_SIZE = 32 };

struct dama_rules {
    char name[DAMA_NAME_SIZE];
#define INT(name, low, high, meaning) int name;
#define BOOL(name, meaning) bool name;
#define ENUM(name, type, list, meaning) enum dama_##type name;
    DAMA_RULE_FIELDS(INT, BOOL, ENUM)
#undef INT
#undef BOOL
#undef ENUM
};

/* The base variants in their fixed order; each has its rules in variants/<name>.inc. */
#define DAMA_BASE_VARIANTS(X) \
    X(american)               \
    X(italian)                \
    X(russian)                \
    X(brazilian)              \
    X(spanish)                \
    X(czech)                  \
    X(international)

/* The built-in rule sets: 7 base variants, then the house rule on each 8x8 one ("american-free"
 * ...). */
enum { DAMA_BASE_COUNT = 7, DAMA_BUILTIN_COUNT = 13 };
const struct dama_rules *dama_rules_builtin(int index);
/* NULL when no built-in has this name. */
const struct dama_rules *dama_rules_find(const char *name);
/* Index of the built-in base variant whose fields equal these, name and the house rule aside; -1
 * when none. */
int dama_rules_base(const struct dama_rules *rules);
/* True when all fields but the name are equal. */
bool dama_rules_equal(const struct dama_rules *a, const struct dama_rules *b);

/* Checks ranges and combinations; every field that is wrong is named in err. */
enum dama_status dama_rules_check(const struct dama_rules *rules, struct dama_error *err);

/* The canonical text, one "field = value" line each in list order without the name; the rules hash
   is its SHA-256. Writes at most size bytes with the final zero, returns the length the whole text
   has. */
size_t dama_rules_format(const struct dama_rules *rules, char *out, size_t size);

/* Sets one field from text ("true", "8", "ends_move"); an unknown field or value is named in err.
 */
enum dama_status dama_rules_set(struct dama_rules *rules, const char *field, const char *value,
                                struct dama_error *err);

/* SHA-256 of the canonical text of a built-in, made at build time. NULL when rules equal no
 * built-in. */
const unsigned char *dama_rules_hash(const struct dama_rules *rules);

/* Squares on the board (32 or 50) and men of each side at the start (12, 20). */
static inline int dama_rules_squares(const struct dama_rules *rules)
{
    return rules->board_size * rules->board_size / 2;
}
static inline int dama_rules_men(const struct dama_rules *rules)
{
    return rules->men_rows * rules->board_size / 2;
}

#endif
