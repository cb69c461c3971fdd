/* Moves as text: the full path, PDN's short form, and a tolerant reader. */
#include "engine/notation.h"

#include <assert.h>
#include <string.h>

#include "engine/path.h"
#include "engine/text.h"

/* Room for the moves that an error line quotes. */
enum { LIST_SIZE = 224 };

/* What a text is read or written against. */
struct board {
    const struct dama_rules *rules;
    enum dama_squares squares;
    const struct dama_position *position;
};

/* A token as read: its squares, and whether it was written as a capture or as a quiet move. */
struct token {
    struct dama_path path;
    bool has_capture_sign;
    bool has_quiet_sign;
};

static char sign_of(const struct dama_rules *rules, dama_move move)
{
    if (!dama_move_is_capture(move)) {
        return '-';
    }
    return rules->capture_sign == DAMA_CAPTURE_COLON ? ':' : 'x';
}

static void format_path(const struct dama_rules *rules, enum dama_squares squares,
                        const struct dama_path *path, char sign, char out[DAMA_MOVE_TEXT_SIZE])
{
    struct dama_text text = {.at = out, .size = DAMA_MOVE_TEXT_SIZE};
    for (int i = 0; i < path->count; i++) {
        char name[4];
        dama_square_format(rules, squares, dama_bit_square(rules->board_size, path->bits[i]), name);
        if (i) {
            dama_text_add(&text, "%c", sign);
        }
        dama_text_add(&text, "%s", name);
    }
    assert(dama_text_fits(&text));
}

void dama_move_format_full(const struct dama_rules *rules, enum dama_squares squares,
                           const struct dama_position *position, dama_move move,
                           char out[DAMA_MOVE_TEXT_SIZE])
{
    struct dama_path path;
    dama_path_smallest(rules, position, move, &path);
    format_path(rules, squares, &path, sign_of(rules, move), out);
}

static bool shares_ends(dama_move a, dama_move b)
{
    return a != b && dama_move_is_capture(b) && dama_move_from(a) == dama_move_from(b) &&
           dama_move_to(a) == dama_move_to(b);
}

void dama_move_format(const struct dama_rules *rules, enum dama_squares squares,
                      const struct dama_position *position, dama_move move,
                      char out[DAMA_MOVE_TEXT_SIZE])
{
    if (dama_move_is_capture(move)) {
        struct dama_move_list list;
        dama_kernel_find(rules)->captures(rules, position, &list);
        for (int i = 0; i < list.count; i++) {
            if (shares_ends(move, list.moves[i])) {
                dama_move_format_full(rules, squares, position, move, out);
                return;
            }
        }
    }
    struct dama_path ends = {.count = 2, .bits = {dama_move_from(move), dama_move_to(move)}};
    format_path(rules, squares, &ends, sign_of(rules, move), out);
}

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t");
}

/* The sign between two squares, if any; letters need none ("a3b4"). */
static bool read_sign(const char **at, struct token *token)
{
    skip_blanks(at);
    char sign = **at;
    bool is_capture = sign == 'x' || sign == 'X' || sign == ':';
    if (is_capture || sign == '-') {
        token->has_capture_sign |= is_capture;
        token->has_quiet_sign |= !is_capture;
        ++*at;
        skip_blanks(at);
        return true;
    }
    return (sign | 0x20) >= 'a' && (sign | 0x20) <= 'j';
}

/* Squares, then marks; false when the text is anything else. */
static bool read_token(const struct board *board, const char *at, struct token *token)
{
    *token = (struct token){.path = {.count = 0}};
    do {
        skip_blanks(&at);
        int square = dama_square_parse(board->rules, board->squares, &at);
        if (!square || token->path.count == DAMA_PATH_MAX) {
            return false;
        }
        token->path.bits[token->path.count++] = dama_square_bit(board->rules->board_size, square);
    } while (read_sign(&at, token));
    at += strspn(at, "!?() \t");
    return *at == 0 && token->path.count >= 2;
}

/* Keeps the moves of `legal` that fit; true when there are any. */
static bool select_fitting(const struct board *board, const struct token *token,
                           enum dama_path_fit fit, struct dama_move_list *moves)
{
    struct dama_move_list fitting = {.count = 0};
    for (int i = 0; i < moves->count; i++) {
        if (dama_path_fits(board->rules, board->position, moves->moves[i], &token->path, fit)) {
            fitting.moves[fitting.count++] = moves->moves[i];
        }
    }
    if (fitting.count) {
        *moves = fitting;
    }
    return fitting.count;
}

/* A wrong sign is forgiven, a right one decides: under the house rule a quiet move and a capture
   may share both ends. */
static void prefer_sign(const struct token *token, struct dama_move_list *moves)
{
    struct dama_move_list same = {.count = 0};
    for (int i = 0; i < moves->count; i++) {
        bool is_capture = dama_move_is_capture(moves->moves[i]);
        if (is_capture ? token->has_capture_sign : token->has_quiet_sign) {
            same.moves[same.count++] = moves->moves[i];
        }
    }
    if (same.count) {
        *moves = same;
    }
}

/* " a b c" as far as it fits into an error line, then "...". */
static void list_moves(const struct board *board, const struct dama_move_list *moves,
                       struct dama_text *text)
{
    for (int i = 0; i < moves->count; i++) {
        char move[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(board->rules, board->squares, board->position, moves->moves[i], move);
        if (text->length + strlen(move) + sizeof " ..." >= text->size) {
            dama_text_add(text, " ...");
            return;
        }
        dama_text_add(text, " %s", move);
    }
}

/* Puts the moves whose written path the token is before the others; returns how many they are. */
static int exact_first(const struct board *board, const struct token *token,
                       struct dama_move_list *moves)
{
    int exact = 0;
    for (int i = 0; i < moves->count; i++) {
        dama_move move = moves->moves[i];
        if (dama_path_fits(board->rules, board->position, move, &token->path, DAMA_PATH_EXACT)) {
            moves->moves[i] = moves->moves[exact];
            moves->moves[exact++] = move;
        }
    }
    return exact;
}

/* Leaves in *moves those legal moves that fit the token, and in *exact how many of them, the first
   ones, are written so. Of a path in another manner of writing, all that fit are looked at only
   when none is written so; two squares alone may always be the ends of a longer capture. */
static bool select_moves(const struct board *board, const struct token *token,
                         struct dama_move_list *moves, int *exact)
{
    bool is_path = token->path.count > 2;
    bool has_any = (is_path && select_fitting(board, token, DAMA_PATH_EXACT, moves)) ||
                   select_fitting(board, token, DAMA_PATH_PASSED, moves);
    if (has_any) {
        prefer_sign(token, moves);
        *exact = exact_first(board, token, moves);
    }
    return has_any;
}

static enum dama_status parse_all(const struct board *board, const char *token,
                                  struct dama_move_list *out, int *exact, struct dama_error *err)
{
    struct token read;
    if (!read_token(board, token, &read)) {
        return dama_fail(err, DAMA_INVALID, "expected a move, found '%s'", token);
    }
    dama_kernel_find(board->rules)->generate(board->rules, board->position, out);
    if (select_moves(board, &read, out, exact)) {
        return DAMA_OK;
    }
    char text[LIST_SIZE];
    struct dama_text list = {.at = text, .size = sizeof text};
    dama_text_add(&list, out->count ? "" : " none");
    list_moves(board, out, &list);
    return dama_fail(err, DAMA_ILLEGAL, "found %s, expected one of the legal moves%s", token, text);
}

int dama_move_parse_all(const struct dama_rules *rules, enum dama_squares squares,
                        const struct dama_position *position, const char *token,
                        struct dama_move_list *out, struct dama_error *err)
{
    int exact;
    struct board board = {rules, squares, position};
    enum dama_status status = parse_all(&board, token, out, &exact, err);
    return status == DAMA_OK ? out->count : 0;
}

enum dama_status dama_move_parse(const struct dama_rules *rules, enum dama_squares squares,
                                 const struct dama_position *position, const char *token,
                                 dama_move *out, struct dama_error *err)
{
    struct dama_move_list moves;
    int exact;
    struct board board = {rules, squares, position};
    DAMA_TRY(parse_all(&board, token, &moves, &exact, err));
    if (moves.count > 1 && exact != 1) {
        char text[LIST_SIZE];
        struct dama_text list = {.at = text, .size = sizeof text};
        list_moves(&board, &moves, &list);
        return dama_fail(err, DAMA_INVALID, "expected one move, %s fits several:%s", token, text);
    }
    *out = moves.moves[0];
    return DAMA_OK;
}
