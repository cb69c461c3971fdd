/* Positions as text: tolerant reading, canonical writing. */
#include "engine/fen.h"

#include <assert.h>
#include <string.h>

#include "engine/text.h"

enum { FIELD_SIZE = 24 }; /* of a field quoted in a message, with the 0 */

/* Where the reader is, and what it has read. */
struct reader {
    const struct dama_rules *rules;
    enum dama_squares squares;
    const char *at;
    struct dama_position position;
    bool has_list[2];
    struct dama_error *err;
};

static void skip_blanks(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r' ||
           *reader->at == '\n') {
        reader->at++;
    }
}

/* 'W' and 'B' in either case; -1 for anything else. */
static int colour_of(char c)
{
    return (c | 0x20) == 'w' ? DAMA_WHITE : (c | 0x20) == 'b' ? DAMA_BLACK : -1;
}

static bool is_letter(char c, char lower)
{
    return (c | 0x20) == lower;
}

/* The text from at to the next separator, for messages. */
static const char *field_text(const char *at, char out[FIELD_SIZE])
{
    size_t length = strcspn(at, ",: \t\r\n");
    length = length < FIELD_SIZE ? length : FIELD_SIZE - 1;
    memcpy(out, at, length);
    out[length] = 0;
    return length ? out : "nothing";
}

static enum dama_status fail_field(struct reader *reader, const char *expected, const char *at)
{
    char field[FIELD_SIZE];
    return dama_fail(reader->err, DAMA_INVALID, "FEN: expected %s, found '%s'", expected,
                     field_text(at, field));
}

static enum dama_status put_piece(struct reader *reader, int side, int square, bool is_king)
{
    int size = reader->rules->board_size;
    uint64_t bit = UINT64_C(1) << dama_square_bit(size, square);
    struct dama_position *position = &reader->position;
    if ((position->pieces[0] | position->pieces[1]) & bit) {
        char name[4];
        dama_square_format(reader->rules, reader->squares, square, name);
        return dama_fail(reader->err, DAMA_ILLEGAL, "FEN: square %s is given twice", name);
    }
    position->pieces[side] |= bit;
    position->kings |= is_king ? bit : 0;
    return DAMA_OK;
}

/* Squares between two numbers of the numbering that is read, both included. */
static enum dama_status put_range(struct reader *reader, int side, int first, int last,
                                  bool is_king)
{
    bool is_official = reader->squares == DAMA_SQUARES_OFFICIAL;
    int low = is_official ? dama_square_official(reader->rules, first) : first;
    int high = is_official ? dama_square_official(reader->rules, last) : last;
    if (low > high) {
        return dama_fail(reader->err, DAMA_INVALID,
                         "FEN: expected a range from low to high, found %d-%d", low, high);
    }
    for (int number = low; number <= high; number++) {
        int square = is_official ? dama_square_grid(reader->rules, number) : number;
        DAMA_TRY(put_piece(reader, side, square, is_king));
    }
    return DAMA_OK;
}

/* A piece taken but not yet removed, as one site writes it; G3 on an algebraic board is a square.
 */
static bool is_ghost(const struct dama_rules *rules, const char *at)
{
    bool has_number = at[0] && at[1] >= '0' && at[1] <= '9';
    return is_letter(*at, 'p') ||
           (*at == 'G' && !(has_number && rules->numbering == DAMA_NUMBERING_ALGEBRAIC));
}

/* One entry of a list: "21", "K30", "c3", "31-50", "K31-50". */
static enum dama_status read_entry(struct reader *reader, int side)
{
    const char *start = reader->at;
    if (is_ghost(reader->rules, start)) {
        return fail_field(reader, "men and kings only (G and P are captured pieces)", start);
    }
    bool is_king = is_letter(*start, 'k');
    reader->at += is_king;
    skip_blanks(reader);
    bool has_number = *reader->at >= '0' && *reader->at <= '9';
    int first = dama_square_parse(reader->rules, reader->squares, &reader->at);
    if (!first) {
        return fail_field(reader, "a square", start);
    }
    skip_blanks(reader);
    if (*reader->at != '-') {
        return put_piece(reader, side, first, is_king);
    }
    reader->at++;
    skip_blanks(reader);
    reader->at += is_king && is_letter(*reader->at, 'k');
    has_number = has_number && *reader->at >= '0' && *reader->at <= '9';
    int last = has_number ? dama_square_parse(reader->rules, reader->squares, &reader->at) : 0;
    if (!last) {
        return fail_field(reader, "a range of square numbers", start);
    }
    return put_range(reader, side, first, last, is_king);
}

static bool at_list_end(const struct reader *reader)
{
    return *reader->at == ':' || *reader->at == '.' || *reader->at == 0;
}

/* "W21,K30" up to the colon, dot or end behind it. */
static enum dama_status read_list(struct reader *reader)
{
    int side = colour_of(*reader->at);
    if (side < 0) {
        return fail_field(reader, "W or B and a list of squares", reader->at);
    }
    if (reader->has_list[side]) {
        return dama_fail(reader->err, DAMA_INVALID, "FEN: expected one list of %c, found two",
                         side == DAMA_WHITE ? 'W' : 'B');
    }
    reader->has_list[side] = true;
    reader->at++;
    skip_blanks(reader);
    while (!at_list_end(reader)) {
        DAMA_TRY(read_entry(reader, side));
        skip_blanks(reader);
        if (*reader->at == ',') {
            reader->at++;
            skip_blanks(reader);
        } else if (!at_list_end(reader)) {
            return fail_field(reader, "a comma or colon behind a square", reader->at);
        }
    }
    return DAMA_OK;
}

/* A site's :H<halfmoves> and :F<move number>: read and dropped. */
static enum dama_status read_counter(struct reader *reader)
{
    const char *start = reader->at++;
    int64_t value;
    if (!dama_text_read_int(&reader->at, 0, INT32_MAX, &value)) {
        return fail_field(reader, "a number behind H or F", start);
    }
    return DAMA_OK;
}

static enum dama_status read_fields(struct reader *reader)
{
    skip_blanks(reader);
    int side = colour_of(*reader->at);
    if (side < 0) {
        return fail_field(reader, "the side to move, W or B", reader->at);
    }
    reader->position.side = (uint64_t)side;
    reader->at++;
    skip_blanks(reader);
    while (*reader->at == ':') {
        reader->at++;
        skip_blanks(reader);
        if (is_letter(*reader->at, 'h') || is_letter(*reader->at, 'f')) {
            DAMA_TRY(read_counter(reader));
        } else if (*reader->at) {
            DAMA_TRY(read_list(reader));
        }
        skip_blanks(reader);
    }
    reader->at += *reader->at == '.';
    skip_blanks(reader);
    if (*reader->at) {
        return fail_field(reader, "the end", reader->at);
    }
    if (!reader->has_list[DAMA_WHITE] || !reader->has_list[DAMA_BLACK]) {
        return dama_fail(reader->err, DAMA_INVALID, "FEN: expected a list of %c, found none",
                         reader->has_list[DAMA_WHITE] ? 'B' : 'W');
    }
    return DAMA_OK;
}

/* Names every man that stands on its own crowning row, in the numbering that was read. */
static enum dama_status check_crowning_rows(struct reader *reader)
{
    int size = reader->rules->board_size;
    const struct dama_position *position = &reader->position;
    char text[128];
    struct dama_text names = {.at = text, .size = sizeof text};
    for (int side = DAMA_WHITE; side <= DAMA_BLACK; side++) {
        uint64_t row = dama_board_row(size, side == DAMA_WHITE ? 0 : size - 1);
        for (uint64_t men = dama_position_men(position, side) & row; men; men &= men - 1) {
            char name[4];
            dama_square_format(reader->rules, reader->squares,
                               dama_bit_square(size, dama_bits_first(men)), name);
            dama_text_add(&names, "%s%s man on %s", names.length ? ", " : "",
                          side == DAMA_WHITE ? "white" : "black", name);
        }
    }
    if (names.length) {
        return dama_fail(reader->err, DAMA_ILLEGAL,
                         "FEN: expected no man on its crowning row, found %s", text);
    }
    return DAMA_OK;
}

enum dama_status dama_fen_parse(const struct dama_rules *rules, enum dama_squares squares,
                                const char *text, struct dama_position *out, struct dama_error *err)
{
    struct reader reader = {.rules = rules, .squares = squares, .at = text, .err = err};
    DAMA_TRY(read_fields(&reader));
    DAMA_TRY(check_crowning_rows(&reader));
    DAMA_TRY(dama_position_check(rules, &reader.position, err));
    *out = reader.position;
    return DAMA_OK;
}

static void add_list(struct dama_text *text, const struct dama_rules *rules,
                     enum dama_squares squares, const struct dama_position *position, int side)
{
    dama_text_add(text, ":%c", side == DAMA_WHITE ? 'W' : 'B');
    const char *separator = "";
    for (uint64_t left = position->pieces[side]; left; left &= left - 1) {
        int bit = dama_bits_first(left);
        char name[4];
        dama_square_format(rules, squares, dama_bit_square(rules->board_size, bit), name);
        dama_text_add(text, "%s%s%s", separator, position->kings >> bit & 1 ? "K" : "", name);
        separator = ",";
    }
}

void dama_fen_format(const struct dama_rules *rules, enum dama_squares squares,
                     const struct dama_position *position, char out[DAMA_FEN_SIZE])
{
    struct dama_text text = {.at = out, .size = DAMA_FEN_SIZE};
    dama_text_add(&text, "%c", position->side == DAMA_WHITE ? 'W' : 'B');
    add_list(&text, rules, squares, position, DAMA_WHITE);
    add_list(&text, rules, squares, position, DAMA_BLACK);
    assert(dama_text_fits(&text));
}
