/* Openings as text: reading lines and PDN games, writing lines. */
#include "eval/opening_list.h"

#include <stdio.h>
#include <string.h>

#include "engine/evaluate.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "engine/pdn.h"

/* A line's fields; texts end where the next begins. */
struct fields {
    char line[DAMA_OPENING_LINE_SIZE];
    char *fen, *score, *moves; /* the latter two may be NULL */
};

/* Cuts a line at its tabs. */
static enum dama_status cut(struct fields *fields, const char *at, size_t length,
                            struct dama_error *err)
{
    if (length >= sizeof fields->line) {
        return dama_fail(err, DAMA_INVALID, "expected a line of at most %d bytes, found %lu",
                         DAMA_OPENING_LINE_SIZE - 1, (unsigned long long)length);
    }
    memcpy(fields->line, at, length);
    fields->line[length] = 0;
    fields->line[strcspn(fields->line, "\r")] = 0;
    fields->fen = fields->line;
    fields->score = strchr(fields->line, '\t');
    fields->moves = fields->score ? strchr(fields->score + 1, '\t') : NULL;
    char **more[] = {&fields->score, &fields->moves};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (*more[i]) {
            *(*more[i])++ = 0;
        }
    }
    if (fields->moves && strchr(fields->moves, '\t')) {
        return dama_fail(err, DAMA_INVALID, "expected FEN, score and moves, found more tabs");
    }
    return DAMA_OK;
}

static enum dama_status read_score(const char *text, int *out, struct dama_error *err)
{
    int64_t value = DAMA_SCORE_NONE;
    *out = DAMA_SCORE_NONE;
    if (!text || !strcmp(text, "-")) {
        return DAMA_OK;
    }
    const char *at = text + (*text == '+');
    if (!dama_text_read_int(&at, -DAMA_SCORE_WIN, DAMA_SCORE_WIN, &value) || *at) {
        return dama_fail(err, DAMA_INVALID, "expected a score or -, found '%s'", text);
    }
    *out = (int)value;
    return DAMA_OK;
}

/* Takes the piece off the square that is named. */
static enum dama_status take_off(const struct dama_rules *rules, const char *word,
                                 struct dama_position *position, struct dama_error *err)
{
    const char *at = word + 1;
    int square = dama_square_parse(rules, DAMA_SQUARES_OFFICIAL, &at);
    uint64_t bit = square ? UINT64_C(1) << dama_square_bit(rules->board_size, square) : 0;
    if (*at || !((position->pieces[0] | position->pieces[1]) & bit)) {
        return dama_fail(err, DAMA_INVALID, "expected a square with a piece behind -, found '%s'",
                         word);
    }
    position->pieces[0] &= ~bit;
    position->pieces[1] &= ~bit;
    position->kings &= ~bit;
    return DAMA_OK;
}

/* Plays the words of the moves, from the start position; the text is cut to pieces. */
static enum dama_status play_moves(char *moves, struct dama_game *game, struct dama_error *err)
{
    const struct dama_rules *rules = game->rules;
    struct dama_position start = dama_position_start(rules);
    char *rest = NULL;
    dama_game_reset(game, NULL);
    for (char *word = strtok_r(moves, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        dama_move move;
        if (*word == '-' && game->ply == 0) {
            DAMA_TRY(take_off(rules, word, &start, err));
            dama_game_reset(game, &start);
            continue;
        }
        DAMA_TRY(dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, dama_game_position(game), word,
                                 &move, err));
        if (dama_game_play(game, move) != DAMA_OK) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a game");
        }
    }
    return DAMA_OK;
}

static enum dama_status check_place(const struct dama_game *game, struct dama_error *err)
{
    DAMA_TRY(dama_position_check_moves(game->rules, dama_game_position(game), err));
    struct dama_game_state state = dama_game_state(game);
    return state.termination == DAMA_END_ONGOING
               ? DAMA_OK
               : dama_fail(err, DAMA_INVALID,
                           "expected a position where the game goes on, found %s",
                           dama_termination_text(state.termination));
}

static enum dama_status read_line(struct dama_opening_list *list, const char *at, size_t length,
                                  struct dama_game *game, struct dama_error *err)
{
    struct fields fields;
    struct dama_position position;
    int score;
    DAMA_TRY(cut(&fields, at, length, err));
    DAMA_TRY(dama_fen_parse(game->rules, DAMA_SQUARES_OFFICIAL, fields.fen, &position, err));
    DAMA_TRY(read_score(fields.score, &score, err));
    dama_game_reset(game, &position);
    if (fields.moves) {
        DAMA_TRY(play_moves(fields.moves, game, err));
        if (!dama_position_equal(dama_game_position(game), &position)) {
            return dama_fail(err, DAMA_INVALID,
                             "expected moves that lead to the FEN, they lead to another position");
        }
    }
    DAMA_TRY(check_place(game, err));
    return dama_opening_list_add(list, game, score, err);
}

enum dama_status dama_opening_list_read(struct dama_opening_list *list,
                                        const struct dama_opening_text *text,
                                        struct dama_game *game, struct dama_error *err)
{
    const char *end = text->at + text->size;
    int number = 0;
    for (const char *at = text->at; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        bool is_empty = stop == at || *at == '#' || (*at == '\r' && stop == at + 1);
        if (!is_empty && read_line(list, at, (size_t)(stop - at), game, err) != DAMA_OK) {
            char where[DAMA_OPENING_LINE_SIZE];
            snprintf(where, sizeof where, "%s:%d", text->file, number + 1);
            return dama_error_prefix(err, where);
        }
        at = stop + 1;
    }
    return DAMA_OK;
}

/* Plays the first moves of a game that was replayed. */
static enum dama_status play_pdn(const struct dama_pdn_game *pdn,
                                 const struct dama_pdn_replay *replay, int plies,
                                 struct dama_game *game, struct dama_error *err)
{
    int count = plies && plies < replay->count ? plies : replay->count;
    struct dama_error reason = {0};
    dama_game_reset(game, replay->count ? &replay->plies[0].position : &replay->final);
    for (int i = 0; i < count; i++) {
        if (dama_game_play(game, replay->plies[i].move) != DAMA_OK) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a game");
        }
    }
    if (replay->is_broken || replay->is_ambiguous) {
        dama_fail(&reason, DAMA_INVALID, "expected moves that can be read in one way only");
    } else {
        check_place(game, &reason);
    }
    return reason.status == DAMA_OK ? DAMA_OK
                                    : dama_fail(err, reason.status, "%s:%d: game %d: %s", pdn->file,
                                                pdn->line, pdn->number, reason.text);
}

enum dama_status dama_opening_list_read_pdn(struct dama_opening_list *list,
                                            const struct dama_opening_text *text, int plies,
                                            struct dama_game *game, struct dama_error *err)
{
    struct dama_pdn_reader reader = dama_pdn_open(text->file, text->at, text->size);
    struct dama_pdn_game pdn = {0};
    struct dama_pdn_replay replay = {0};
    enum dama_status status = DAMA_OK;
    while (status == DAMA_OK && dama_pdn_next(&reader, &pdn)) {
        status = pdn.error.status == DAMA_OK
                     ? dama_pdn_replay(&pdn, game->rules, DAMA_SQUARES_OFFICIAL, &replay, err)
                     : dama_fail(err, pdn.error.status, "%s", pdn.error.text);
        if (status == DAMA_OK) {
            status = play_pdn(&pdn, &replay, plies, game, err);
        }
        if (status == DAMA_OK) {
            status = dama_opening_list_add(list, game, DAMA_SCORE_NONE, err);
        }
    }
    dama_pdn_game_free(&pdn);
    dama_pdn_replay_free(&replay);
    return status;
}

/* The men of the start position that `position` lacks; false when it differs in another way. */
static bool find_gone(const struct dama_rules *rules, const struct dama_position *position,
                      uint64_t *gone)
{
    struct dama_position start = dama_position_start(rules);
    *gone = 0;
    for (int side = 0; side < 2; side++) {
        if (position->pieces[side] & ~start.pieces[side]) {
            return false;
        }
        *gone |= start.pieces[side] & ~position->pieces[side];
    }
    return !position->kings && position->side == start.side;
}

static void add_moves(struct dama_text *text, const struct dama_game *game, uint64_t gone)
{
    const struct dama_rules *rules = game->rules;
    const char *separator = "";
    for (; gone; gone &= gone - 1) {
        char square[4];
        int grid = dama_bit_square(rules->board_size, dama_bits_first(gone));
        dama_square_format(rules, DAMA_SQUARES_OFFICIAL, grid, square);
        dama_text_add(text, "%s-%s", separator, square);
        separator = " ";
    }
    for (int i = 0; i < game->ply; i++) {
        char move[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules, DAMA_SQUARES_OFFICIAL, &game->plies[i].position,
                              game->plies[i].move, move);
        dama_text_add(text, "%s%s", separator, move);
        separator = " ";
    }
}

void dama_opening_list_format(const struct dama_opening_list *list, uint32_t index,
                              struct dama_game *game, char out[DAMA_OPENING_LINE_SIZE])
{
    const struct dama_opening_entry *entry = &list->entries[index];
    struct dama_text text = {.at = out, .size = DAMA_OPENING_LINE_SIZE};
    char fen[DAMA_FEN_SIZE];
    uint64_t gone;
    dama_opening_list_play(list, index, game);
    dama_fen_format(game->rules, DAMA_SQUARES_OFFICIAL, dama_game_position(game), fen);
    dama_text_add(&text, "%s", fen);
    bool has_moves = find_gone(game->rules, &entry->start, &gone);
    if (entry->score != DAMA_SCORE_NONE) {
        dama_text_add(&text, "\t%s%d", entry->score > 0 ? "+" : "", entry->score);
    } else if (has_moves) {
        dama_text_add(&text, "\t-");
    }
    if (has_moves) {
        dama_text_add(&text, "\t");
        add_moves(&text, game, gone);
    }
}
