/* Writes a game as PDN 3.0. */
#include "engine/pdn.h"

#include <string.h>

#include "engine/fen.h"

enum { LINE_WIDTH = 80 };

/* Where the first square lies, seen from the side that starts: the X of a GameType tag. */
enum corner { BOTTOM_LEFT = 0, BOTTOM_RIGHT = 1, TOP_LEFT = 2, TOP_RIGHT = 3 };

static void write_tag(struct dama_text *text, const char *name, const char *value)
{
    dama_text_add(text, "[%s \"", name);
    for (; *value; value++) {
        dama_text_add(text, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    }
    dama_text_add(text, "\"]\n");
}

static enum corner first_corner(const struct dama_rules *rules)
{
    enum corner corner = TOP_LEFT;
    if (rules->numbering == DAMA_NUMBERING_FROM_BOTTOM) {
        corner = BOTTOM_RIGHT;
    } else if (rules->numbering == DAMA_NUMBERING_ALGEBRAIC) {
        corner = BOTTOM_LEFT;
    }
    return rules->first_mover == DAMA_WHITE ? corner : TOP_RIGHT - corner;
}

/* "21,B,8,8,N1,0"; rules that have no number write their name as a private tag. */
static void write_game_type(struct dama_text *text, const struct dama_rules *rules)
{
    if (!rules->game_type) {
        write_tag(text, "Variant", rules->name);
        return;
    }
    bool is_dark_right = rules->numbering == DAMA_NUMBERING_ROWS_REVERSED ||
                         rules->numbering == DAMA_NUMBERING_FROM_BOTTOM;
    char value[32];
    dama_text_format(value, sizeof value, "%d,%c,%d,%d,%c%d,%d", rules->game_type,
                     rules->first_mover == DAMA_WHITE ? 'W' : 'B', rules->board_size,
                     rules->board_size, rules->numbering == DAMA_NUMBERING_ALGEBRAIC ? 'A' : 'N',
                     first_corner(rules), is_dark_right);
    write_tag(text, "GameType", value);
    if (!rules->capture_mandatory) {
        write_tag(text, "HouseRule", "NoForcedCapture");
    }
}

static void write_start(struct dama_text *text, const struct dama_game *game)
{
    struct dama_position start = dama_position_start(game->rules);
    if (!dama_position_equal(&start, &game->plies[0].position)) {
        char fen[DAMA_FEN_SIZE];
        dama_fen_format(game->rules, DAMA_SQUARES_OFFICIAL, &game->plies[0].position, fen);
        write_tag(text, "FEN", fen);
    }
}

static void write_termination(struct dama_text *text, struct dama_game_state state)
{
    char value[96];
    bool has_reason = state.termination == DAMA_END_DRAW_RULE;
    dama_text_format(value, sizeof value, "%s%s%s", dama_termination_text(state.termination),
                     has_reason ? ": " : "", has_reason ? dama_draw_reason_text(state.reason) : "");
    write_tag(text, "Termination", value);
}

/* A word of the moves, on the next line where this one is full. */
static void write_word(struct dama_text *text, size_t *column, const char *word)
{
    size_t length = strlen(word);
    if (*column && *column + 1 + length > LINE_WIDTH) {
        dama_text_add(text, "\n");
        *column = 0;
    }
    dama_text_add(text, "%s%s", *column ? " " : "", word);
    *column += length + (*column > 0);
}

static void write_moves(struct dama_text *text, const struct dama_game *game)
{
    size_t column = 0;
    for (int ply = 0; ply < game->ply; ply++) {
        char word[DAMA_MOVE_TEXT_SIZE];
        if (ply % 2 == 0) {
            dama_text_format(word, sizeof word, "%d.", ply / 2 + 1);
            write_word(text, &column, word);
        }
        dama_move_format(game->rules, DAMA_SQUARES_OFFICIAL, &game->plies[ply].position,
                         game->plies[ply].move, word);
        write_word(text, &column, word);
    }
    write_word(text, &column, "*");
}

const char *dama_pdn_result_text(const struct dama_rules *rules, struct dama_game_state state)
{
    static const char *const texts[][3] = {
        [DAMA_RESULT_ONE_ZERO] = {"0-1", "1/2-1/2", "1-0"},
        [DAMA_RESULT_TWO_ZERO] = {"0-2", "1-1", "2-0"},
    };
    if (state.termination == DAMA_END_ONGOING) {
        return "*";
    }
    int first_mover_result = rules->first_mover == DAMA_WHITE ? state.result : -state.result;
    return texts[rules->result_style][1 + first_mover_result];
}

void dama_pdn_write(struct dama_text *text, const struct dama_game *game,
                    struct dama_game_state state, const struct dama_pdn_pair *tags, int tag_count)
{
    for (int i = 0; i < tag_count; i++) {
        write_tag(text, tags[i].name, tags[i].value);
    }
    write_tag(text, "Result", dama_pdn_result_text(game->rules, state));
    write_game_type(text, game->rules);
    write_start(text, game);
    write_termination(text, state);
    dama_text_add(text, "\n");
    write_moves(text, game);
    dama_text_add(text, "\n\n");
}
