/* Reads PDN text into games: tags, moves of the main line, the result. */
#include "engine/pdn.h"

#include <stdlib.h>
#include <string.h>

#include "engine/pdn_scan.h"

enum { VARIATIONS_MAX = 64, TOKENS_FIRST = 128, FEN_KEYWORD_LENGTH = 4 };

static bool fail_at(const struct dama_pdn_reader *reader, struct dama_pdn_game *game,
                    const char *what)
{
    dama_fail(&game->error, DAMA_INVALID, "%s:%d: game %d: %s", reader->file, reader->line,
              game->number, what);
    return false;
}

static void note_at(const struct dama_pdn_reader *reader, struct dama_pdn_game *game,
                    const char *what, struct dama_pdn_text found)
{
    char text[32];
    dama_pdn_unescape(found, text, sizeof text);
    dama_fail(&game->note, DAMA_INVALID, "%s:%d: game %d: %s '%s'", reader->file, reader->line,
              game->number, what, text);
}

static bool read_comment(struct dama_pdn_reader *reader, struct dama_pdn_game *game)
{
    struct dama_pdn_reader start = *reader;
    dama_pdn_advance(reader, 1);
    while (!dama_pdn_at_end(reader) && *reader->at != '}') {
        if (*reader->at == '{') {
            return fail_at(reader, game, "expected } before the next {, found a nested comment");
        }
        dama_pdn_advance(reader, 1);
    }
    if (dama_pdn_at_end(reader)) {
        return fail_at(&start, game, "expected } behind a comment, found the end of the text");
    }
    dama_pdn_advance(reader, 1);
    return true;
}

static bool read_tag(struct dama_pdn_reader *reader, struct dama_pdn_game *game)
{
    struct dama_pdn_tag tag;
    reader->at++;
    dama_pdn_skip_blanks(reader);
    tag.name.at = reader->at;
    while (dama_pdn_is_alnum(dama_pdn_peek(reader, 0)) || dama_pdn_peek(reader, 0) == '_') {
        reader->at++;
    }
    tag.name.length = (size_t)(reader->at - tag.name.at);
    dama_pdn_skip_blanks(reader);
    if (!tag.name.length || !dama_pdn_read_quoted(reader, ']', &tag.value)) {
        return fail_at(reader, game, "expected a tag [Name \"value\"] in one line");
    }
    for (int i = 0; i < game->tag_count; i++) {
        struct dama_pdn_text name = game->tags[i].name;
        if (name.length == tag.name.length && !memcmp(name.at, tag.name.at, name.length)) {
            note_at(reader, game, "the first of two equal tags counts:", name);
        }
    }
    if (game->tag_count == DAMA_PDN_TAGS_MAX) {
        return fail_at(reader, game, "expected at most 64 tags, found more");
    }
    game->tags[game->tag_count++] = tag;
    return true;
}

static bool add_token(const struct dama_pdn_reader *reader, struct dama_pdn_game *game,
                      struct dama_pdn_token token)
{
    if (game->token_count == game->token_capacity) {
        int capacity = game->token_capacity ? 2 * game->token_capacity : TOKENS_FIRST;
        struct dama_pdn_token *tokens = realloc(game->tokens, (size_t)capacity * sizeof *tokens);
        if (!tokens) {
            dama_fail(&game->error, DAMA_MEMORY, "%s:%d: game %d: out of memory", reader->file,
                      reader->line, game->number);
            return false;
        }
        game->tokens = tokens;
        game->token_capacity = capacity;
    }
    game->tokens[game->token_count++] = token;
    return true;
}

/* /FEN "..."/ between moves. */
static bool read_setup(struct dama_pdn_reader *reader, struct dama_pdn_game *game, int depth)
{
    struct dama_pdn_token token = {.line = reader->line, .is_setup = true};
    struct dama_pdn_text keyword = {reader->at, FEN_KEYWORD_LENGTH};
    bool is_fen =
        reader->end - reader->at >= FEN_KEYWORD_LENGTH && dama_pdn_text_is(keyword, "/FEN");
    if (is_fen) {
        reader->at += FEN_KEYWORD_LENGTH;
        dama_pdn_skip_blanks(reader);
    }
    if (!is_fen || !dama_pdn_read_quoted(reader, '/', &token.text)) {
        return fail_at(reader, game, "expected /FEN \"...\"/ in one line");
    }
    return depth || add_token(reader, game, token);
}

/* Wins, draws and open ends are told apart without the rules: by the left number. */
static char result_kind(struct dama_pdn_text text)
{
    static const struct {
        const char *text;
        char kind;
    } results[] = {
        {"1-0", 'l'}, {"2-0", 'l'}, {"0-1", 'r'}, {"0-2", 'r'},
        {"1-1", 'd'}, {"0-0", '*'}, {"*", '*'},   {"1/2-1/2", 'd'},
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (dama_pdn_text_is(text, results[i].text)) {
            return results[i].kind;
        }
    }
    return 0;
}

/* A score that could be a move is a result only where nothing follows it. */
static bool is_last_item(const struct dama_pdn_reader *start, struct dama_pdn_text word)
{
    struct dama_pdn_reader reader = *start;
    reader.at = word.at + word.length;
    dama_pdn_skip_space(&reader);
    return dama_pdn_at_end(&reader) || *reader.at == '[';
}

/* True when the word is a result: a known one, or the very text of the Result tag ("4-6"). */
static bool take_result(const struct dama_pdn_reader *reader, struct dama_pdn_game *game,
                        struct dama_pdn_text word)
{
    const struct dama_pdn_text *tag = dama_pdn_tag(game, "Result");
    char kind = result_kind(word);
    char tag_kind = tag ? result_kind(*tag) : 0;
    if (kind && game->terminator.length) {
        return true;
    }
    bool equals_tag = tag && tag->length == word.length && !memcmp(tag->at, word.at, word.length) &&
                      is_last_item(reader, word);
    if (!kind && !equals_tag) {
        return false;
    }
    game->terminator = word;
    if (!kind) {
        note_at(reader, game, "unknown result text", word);
    } else if (kind != '*' && tag_kind && tag_kind != '*' && kind != tag_kind) {
        note_at(reader, game, "the Result tag counts, the moves end with", word);
    }
    return true;
}

/* Digits and dots, "12." or "12...", and dots in the place of the first mover's move, "12. ...". */
static bool take_move_number(struct dama_pdn_reader *reader, struct dama_pdn_text word)
{
    for (size_t i = 0; i < word.length; i++) {
        if (!dama_pdn_is_digit(word.at[i])) {
            return false;
        }
    }
    if (!word.length || dama_pdn_peek(reader, 0) != '.') {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        while (dama_pdn_peek(reader, 0) == '.') {
            reader->at++;
        }
        dama_pdn_skip_blanks(reader);
    }
    return true;
}

/* Words met without a blank behind a move ("26-22Whiteoverstepped...") are cut off and noted. */
static void cut_remark(struct dama_pdn_reader *reader, struct dama_pdn_game *game,
                       struct dama_pdn_text *word)
{
    size_t length = dama_pdn_move_length(*word);
    if (!length || length == word->length) {
        return;
    }
    while ((unsigned char)dama_pdn_peek(reader, 0) > ' ') {
        reader->at++;
    }
    struct dama_pdn_text remark = {word->at + length, (size_t)(reader->at - word->at) - length};
    note_at(reader, game, "text behind a move:", remark);
    word->length = length;
}

/* What is no word: dots for an unknown move, or the star that ends a game. */
static struct dama_pdn_text read_symbol(struct dama_pdn_reader *reader)
{
    struct dama_pdn_text symbol = {reader->at, 0};
    char c = *reader->at;
    if (c == '.' || c == '*') {
        do {
            reader->at++;
        } while (c == '.' && dama_pdn_peek(reader, 0) == '.');
    }
    symbol.length = (size_t)(reader->at - symbol.at);
    return symbol;
}

/* A move, a move number, or the result that ends the game; those of variations are read over. */
static bool read_item(struct dama_pdn_reader *reader, struct dama_pdn_game *game, int depth)
{
    struct dama_pdn_reader start = *reader;
    struct dama_pdn_text word = dama_pdn_read_word(reader);
    if (take_move_number(reader, word)) {
        return true;
    }
    cut_remark(reader, game, &word);
    word = word.length ? word : read_symbol(reader);
    while (dama_pdn_is_mark(dama_pdn_peek(reader, 0))) {
        reader->at++;
    }
    if (reader->at == start.at) {
        return fail_at(reader, game, "expected a move, a comment or a result, found another byte");
    }
    if (depth || !word.length || take_result(&start, game, word)) {
        return true;
    }
    return add_token(reader, game, (struct dama_pdn_token){.text = word, .line = start.line});
}

/* "(?)" and the like, which are no variation. */
static bool skip_bracketed_mark(struct dama_pdn_reader *reader)
{
    size_t length = 1;
    while (dama_pdn_is_mark(dama_pdn_peek(reader, length))) {
        length++;
    }
    if (length == 1 || dama_pdn_peek(reader, length) != ')') {
        return false;
    }
    reader->at += length + 1;
    return true;
}

/* A bracket of a variation. */
static bool read_bracket(struct dama_pdn_reader *reader, struct dama_pdn_game *game, int *depth)
{
    if (*reader->at == '(') {
        if (skip_bracketed_mark(reader)) {
            return true;
        }
        if (++*depth > VARIATIONS_MAX) {
            return fail_at(reader, game, "expected at most 64 nested variations, found more");
        }
    } else if (--*depth < 0) {
        return fail_at(reader, game, "expected ( before ), found none");
    }
    reader->at++;
    return true;
}

/* The item of the moves at the reader, which is no space; false on an error. */
static bool read_text(struct dama_pdn_reader *reader, struct dama_pdn_game *game, int *depth)
{
    switch (*reader->at) {
    case '{':
        return read_comment(reader, game);
    case ';':
        dama_pdn_skip_line(reader);
        return true;
    case '/':
        return read_setup(reader, game, *depth);
    case '(':
    case ')':
        return read_bracket(reader, game, depth);
    case '$':
        do {
            reader->at++;
        } while (dama_pdn_is_digit(dama_pdn_peek(reader, 0)));
        return true;
    default:
        return read_item(reader, game, *depth);
    }
}

/* True when what follows belongs to the next game. */
static bool is_next_game(const struct dama_pdn_reader *reader, const struct dama_pdn_game *game)
{
    char c = *reader->at;
    if (game->terminator.length) {
        /* Behind a result only a remark and the separator of PDN 3.0 still belong to the game. */
        return c != '{' && c != ';' && c != '*';
    }
    return c == '[' && game->token_count;
}

static void read_game(struct dama_pdn_reader *reader, struct dama_pdn_game *game)
{
    int depth = 0;
    for (; !dama_pdn_at_end(reader); dama_pdn_skip_space(reader)) {
        if (is_next_game(reader, game)) {
            break;
        }
        if (*reader->at == '[') {
            /* A damaged tag spoils its line, not the game. */
            if (!read_tag(reader, game)) {
                dama_pdn_skip_line(reader);
            }
        } else if (!read_text(reader, game, &depth)) {
            dama_pdn_skip_to_tag(reader);
            return;
        }
    }
    if (depth) {
        fail_at(reader, game, "expected ) behind a variation, found the end of the game");
    }
}

struct dama_pdn_reader dama_pdn_open(const char *file, const char *text, size_t size)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    struct dama_pdn_reader reader = {
        .file = file, .begin = text, .at = text, .end = text + size, .line = 1};
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        reader.at += 3;
        reader.begin = reader.at;
    }
    return reader;
}

bool dama_pdn_next(struct dama_pdn_reader *reader, struct dama_pdn_game *game)
{
    struct dama_pdn_token *tokens = game->tokens;
    dama_pdn_skip_space(reader);
    *game = (struct dama_pdn_game){.file = reader->file,
                                   .number = reader->games + 1,
                                   .line = reader->line,
                                   .tokens = tokens,
                                   .token_capacity = game->token_capacity};
    read_game(reader, game);
    bool is_empty = !game->tag_count && !game->token_count && !game->terminator.length &&
                    game->error.status == DAMA_OK;
    reader->games += !is_empty;
    return !is_empty;
}

void dama_pdn_game_free(struct dama_pdn_game *game)
{
    free(game->tokens);
    *game = (struct dama_pdn_game){.tokens = NULL};
}
