/* Steps over PDN text: bytes, lines, blanks, quoted strings, words. */
#include "engine/pdn_scan.h"

char dama_pdn_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool dama_pdn_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool dama_pdn_is_alnum(char c)
{
    return dama_pdn_is_digit(c) || (dama_pdn_lower(c) >= 'a' && dama_pdn_lower(c) <= 'z');
}

bool dama_pdn_is_mark(char c)
{
    return c == '!' || c == '?' || c == '*';
}

static bool is_sign(char c)
{
    return c == '-' || c == ':' || dama_pdn_lower(c) == 'x';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

char dama_pdn_peek(const struct dama_pdn_reader *reader, size_t ahead)
{
    return ahead < (size_t)(reader->end - reader->at) ? reader->at[ahead] : 0;
}

bool dama_pdn_at_end(const struct dama_pdn_reader *reader)
{
    return reader->at == reader->end;
}

void dama_pdn_advance(struct dama_pdn_reader *reader, size_t count)
{
    for (; count && !dama_pdn_at_end(reader); count--) {
        char c = *reader->at;
        reader->line += c == '\n' || (c == '\r' && dama_pdn_peek(reader, 1) != '\n');
        reader->at++;
    }
}

void dama_pdn_skip_line(struct dama_pdn_reader *reader)
{
    while (!dama_pdn_at_end(reader) && !is_line_end(*reader->at)) {
        reader->at++;
    }
}

/* A [%command ...] outside of a comment. */
static void skip_command(struct dama_pdn_reader *reader)
{
    while (!dama_pdn_at_end(reader) && *reader->at != ']' && !is_line_end(*reader->at)) {
        reader->at++;
    }
    reader->at += dama_pdn_peek(reader, 0) == ']';
}

void dama_pdn_skip_space(struct dama_pdn_reader *reader)
{
    while (!dama_pdn_at_end(reader)) {
        bool is_line_start = reader->at == reader->begin || is_line_end(reader->at[-1]);
        if (*reader->at == '%' && is_line_start) {
            dama_pdn_skip_line(reader);
        } else if (*reader->at == '[' && dama_pdn_peek(reader, 1) == '%') {
            skip_command(reader);
        } else if ((unsigned char)*reader->at <= ' ') {
            dama_pdn_advance(reader, 1);
        } else {
            return;
        }
    }
}

/* Blanks of a line from `ahead` on. */
static size_t blanks_at(const struct dama_pdn_reader *reader, size_t ahead)
{
    size_t count = 0;
    while (dama_pdn_peek(reader, ahead + count) == ' ' ||
           dama_pdn_peek(reader, ahead + count) == '\t') {
        count++;
    }
    return count;
}

void dama_pdn_skip_blanks(struct dama_pdn_reader *reader)
{
    reader->at += blanks_at(reader, 0);
}

void dama_pdn_skip_to_tag(struct dama_pdn_reader *reader)
{
    while (!dama_pdn_at_end(reader)) {
        dama_pdn_skip_line(reader);
        while (!dama_pdn_at_end(reader) && is_line_end(*reader->at)) {
            dama_pdn_advance(reader, 1);
        }
        char name = dama_pdn_peek(reader, 1);
        if (dama_pdn_peek(reader, 0) == '[' && name >= 'A' && name <= 'Z') {
            return;
        }
    }
}

bool dama_pdn_read_quoted(struct dama_pdn_reader *reader, char closer, struct dama_pdn_text *out)
{
    const char *start = reader->at + 1;
    if (dama_pdn_peek(reader, 0) != '"') {
        return false;
    }
    for (size_t i = 1;; i++) {
        char c = dama_pdn_peek(reader, i);
        char next = dama_pdn_peek(reader, i + 1);
        if (c == 0 || is_line_end(c)) {
            return false;
        }
        if (c == '\\' && (next == '"' || next == '\\')) {
            i++;
            continue;
        }
        /* Values with bare quotes inside are met: only the quote before the closer ends one. */
        size_t behind = i + 1 + blanks_at(reader, i + 1);
        if (c == '"' && dama_pdn_peek(reader, behind) == closer) {
            *out = (struct dama_pdn_text){start, i - 1};
            reader->at += behind + 1;
            return true;
        }
    }
}

/* Bytes from `length` on that belong to a sign written with blanks around it. */
static size_t glue_at(const struct dama_pdn_reader *reader, size_t length)
{
    size_t before = blanks_at(reader, length);
    if (is_sign(reader->at[length - 1])) {
        return dama_pdn_is_alnum(dama_pdn_peek(reader, length + before)) ? before : 0;
    }
    size_t sign = length + before;
    size_t square = sign + 1 + blanks_at(reader, sign + 1);
    bool is_glue =
        is_sign(dama_pdn_peek(reader, sign)) && dama_pdn_is_alnum(dama_pdn_peek(reader, square));
    return is_glue ? square - length : 0;
}

struct dama_pdn_text dama_pdn_read_word(struct dama_pdn_reader *reader)
{
    size_t length = 0;
    for (;;) {
        char c = dama_pdn_peek(reader, length);
        size_t glue = length ? glue_at(reader, length) : 0;
        if (!dama_pdn_is_alnum(c) && !is_sign(c) && c != '/' && !glue) {
            break;
        }
        length += glue ? glue : 1;
    }
    struct dama_pdn_text word = {reader->at, length};
    reader->at += length;
    return word;
}

/* The end of a square number or name that starts at `at`; `at` when there is none. */
static size_t square_end(struct dama_pdn_text word, size_t at)
{
    char first = at < word.length ? dama_pdn_lower(word.at[at]) : 0;
    size_t end = at + (first >= 'a' && first <= 'j');
    size_t digits = end;
    while (end < word.length && dama_pdn_is_digit(word.at[end])) {
        end++;
    }
    return end > digits ? end : at;
}

size_t dama_pdn_move_length(struct dama_pdn_text word)
{
    int squares = 0;
    size_t length = 0;
    for (size_t at = 0;;) {
        size_t end = square_end(word, at);
        if (end == at) {
            return squares >= 2 ? length : 0;
        }
        squares++;
        length = end;
        at = end;
        while (at < word.length &&
               (is_sign(word.at[at]) || word.at[at] == ' ' || word.at[at] == '\t')) {
            at++;
        }
    }
}
