/* The loop of a game in the terminal. */
#include "engine/cli/play.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/cli/move_order.h"
#include "engine/cli/move_reason.h"
#include "engine/cli/verb.h"
#include "engine/fen.h"

/* One line of input in its turn. */
struct turn {
    struct dama_play *play;
    FILE *out;
    const char *argument; /* what stands behind the command */
    bool is_over;         /* quit */
};

static const struct dama_rules *rules_of(const struct turn *turn)
{
    return &turn->play->ruleset->rules;
}

static const struct dama_position *position_of(const struct turn *turn)
{
    return dama_game_position(turn->play->game);
}

static const char *colour_name(uint64_t side)
{
    return side == DAMA_WHITE ? "White" : "Black";
}

static bool is_ongoing(const struct turn *turn)
{
    return dama_play_state(turn->play).termination == DAMA_END_ONGOING;
}

static void announce_end(const struct turn *turn, struct dama_game_state state)
{
    const char *winner = state.result > 0 ? "White" : "Black";
    const char *loser = state.result > 0 ? "Black" : "White";
    switch (state.termination) {
    case DAMA_END_NO_MOVE:
        fprintf(turn->out, "%s wins: %s has no legal move.\n", winner, loser);
        break;
    case DAMA_END_RESIGNED:
        fprintf(turn->out, "%s wins: %s has resigned.\n", winner, loser);
        break;
    default:
        fprintf(turn->out, "Draw: %s.\n", dama_draw_reason_text(state.reason));
        break;
    }
}

static void show(struct turn *turn)
{
    dama_board_print(turn->out, rules_of(turn), &turn->play->style, position_of(turn));
    struct dama_game_state state = dama_play_state(turn->play);
    if (state.termination == DAMA_END_ONGOING) {
        fprintf(turn->out, "%s to move.\n", colour_name(position_of(turn)->side));
    } else {
        announce_end(turn, state);
    }
}

static void make(struct turn *turn, dama_move move)
{
    if (dama_game_play(turn->play->game, move) != DAMA_OK) {
        fprintf(turn->out, "Out of memory: the move was not made.\n");
        turn->is_over = true;
    }
}

/* The level moves until it is a person's turn or the game is over. */
static void let_level_move(struct turn *turn)
{
    const struct dama_play *play = turn->play;
    while (!turn->is_over && is_ongoing(turn) && !play->is_human[position_of(turn)->side]) {
        dama_move move = dama_level_move(play->level, play->searcher, play->game, play->seed);
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules_of(turn), play->style.squares, position_of(turn), move, text);
        fprintf(turn->out, "%s plays %s\n", colour_name(position_of(turn)->side), text);
        make(turn, move);
        show(turn);
        fflush(turn->out);
    }
}

static void do_moves(struct turn *turn)
{
    struct dama_move_list list;
    struct dama_error err = {0};
    if (dama_moves_sorted(rules_of(turn), turn->play->ruleset->kernel, position_of(turn), &list,
                          &err) != DAMA_OK) {
        fprintf(turn->out, "%s.\n", err.text);
        return;
    }
    for (int i = 0; i < list.count; i++) {
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules_of(turn), turn->play->style.squares, position_of(turn),
                              list.moves[i], text);
        fprintf(turn->out, "%s%s", i ? " " : "", text);
    }
    fputs(list.count ? "\n" : "No legal move.\n", turn->out);
}

static void do_hint(struct turn *turn)
{
    const struct dama_play *play = turn->play;
    if (!is_ongoing(turn)) {
        fprintf(turn->out, "The game is over.\n");
        return;
    }
    dama_move move = dama_level_move(play->hint, play->searcher, play->game, play->seed);
    char text[DAMA_MOVE_TEXT_SIZE];
    dama_move_format_full(rules_of(turn), play->style.squares, position_of(turn), move, text);
    fprintf(turn->out, "Hint: %s\n", text);
}

/* Back to the last position in which a person was to move. */
static void do_undo(struct turn *turn)
{
    struct dama_play *play = turn->play;
    if (play->has_resigned[0] || play->has_resigned[1]) {
        play->has_resigned[0] = play->has_resigned[1] = false;
        show(turn);
        return;
    }
    int back = 1;
    while (back <= play->game->ply &&
           !play->is_human[play->game->plies[play->game->ply - back].position.side]) {
        back++;
    }
    if (back > play->game->ply) {
        fprintf(turn->out, "There is no move of yours to take back.\n");
        return;
    }
    for (; back > 0; back--) {
        dama_game_undo(play->game);
    }
    show(turn);
}

static void do_resign(struct turn *turn)
{
    if (!is_ongoing(turn)) {
        fprintf(turn->out, "The game is over.\n");
        return;
    }
    turn->play->has_resigned[position_of(turn)->side] = true;
    announce_end(turn, dama_play_state(turn->play));
}

static void do_save(struct turn *turn)
{
    struct dama_error err = {0};
    if (!*turn->argument) {
        fprintf(turn->out, "Save where? Type: save FILE\n");
    } else if (dama_play_save(turn->play, turn->argument, &err) != DAMA_OK) {
        fprintf(turn->out, "Not saved: %s.\n", err.text);
    } else {
        fprintf(turn->out, "Saved to %s.\n", turn->argument);
    }
}

static void do_flip(struct turn *turn)
{
    turn->play->style.is_flipped = !turn->play->style.is_flipped;
    show(turn);
}

static void do_fen(struct turn *turn)
{
    char fen[DAMA_FEN_SIZE];
    dama_fen_format(rules_of(turn), turn->play->style.squares, position_of(turn), fen);
    fprintf(turn->out, "%s\n", fen);
}

static void do_quit(struct turn *turn)
{
    turn->is_over = true;
}

static void do_help(struct turn *turn);

static const struct {
    const char *name;
    const char *meaning;
    void (*run)(struct turn *turn);
} commands[] = {
    {"board", "draw the board again", show},
    {"moves", "list the legal moves", do_moves},
    {"hint", "ask the strongest level for a move", do_hint},
    {"undo", "take back your last move and the answer", do_undo},
    {"resign", "give up the game", do_resign},
    {"flip", "turn the board", do_flip},
    {"fen", "print the position as FEN", do_fen},
    {"save", "FILE: write the game as PDN", do_save},
    {"help", "this list", do_help},
    {"quit", "leave", do_quit},
};

static void do_help(struct turn *turn)
{
    bool has_letters = rules_of(turn)->numbering == DAMA_NUMBERING_ALGEBRAIC &&
                       turn->play->style.squares == DAMA_SQUARES_OFFICIAL;
    fprintf(turn->out, "A move is its squares: %s\n",
            has_letters ? "c3-d4, or c3:e5:g7 for a capture" : "22-17, or 22x15x8 for a capture");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        fprintf(turn->out, "%-7s %s\n", commands[i].name, commands[i].meaning);
    }
}

/* People also part the squares of a move by blanks alone: "22 15 6" becomes "22-15-6". */
static void join_squares(char *line)
{
    char *to = line;
    for (char *at = line; *at;) {
        size_t blanks = strspn(at, " \t");
        if (blanks && to > line && isalnum((unsigned char)to[-1]) &&
            isalnum((unsigned char)at[blanks]) && at[blanks] != 'x') {
            *to++ = '-';
        }
        at += blanks;
        if (*at) {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

static void try_move(struct turn *turn, const char *token)
{
    if (!is_ongoing(turn)) {
        fprintf(turn->out, "The game is over.\n");
        return;
    }
    struct dama_error err = {0};
    dama_move move;
    enum dama_squares squares = turn->play->style.squares;
    if (dama_move_parse(rules_of(turn), squares, position_of(turn), token, &move, &err) ==
        DAMA_OK) {
        make(turn, move);
        show(turn);
        let_level_move(turn);
        return;
    }
    struct dama_move_list fitting;
    struct dama_error again = {0};
    if (dama_move_parse_all(rules_of(turn), squares, position_of(turn), token, &fitting, &again) >
        1) {
        fprintf(turn->out, "Say which: %s.\n", err.text);
        return;
    }
    char reason[DAMA_REASON_SIZE];
    dama_move_reason(rules_of(turn), squares, position_of(turn), token, reason);
    fprintf(turn->out, "Not legal: %s.\n", reason);
}

static void take_line(struct turn *turn, char *line)
{
    line += strspn(line, " \t");
    size_t end = strlen(line);
    while (end > 0 && strchr(" \t\r\n", line[end - 1])) {
        line[--end] = '\0';
    }
    if (!*line) {
        return;
    }
    size_t length = strcspn(line, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strlen(commands[i].name) == length &&
            strncasecmp(commands[i].name, line, length) == 0) {
            turn->argument = line + length + strspn(line + length, " \t");
            commands[i].run(turn);
            return;
        }
    }
    bool has_digit = strpbrk(line, "0123456789") != NULL;
    if (has_digit) {
        join_squares(line);
        try_move(turn, line);
    } else {
        fprintf(turn->out, "Neither a move nor a command: %s. Type help for the commands.\n", line);
    }
}

int dama_play_run(struct dama_play *play, FILE *in, FILE *out)
{
    struct turn turn = {.play = play, .out = out};
    char *line = NULL;
    size_t room = 0;
    if (play->has_prompt) {
        fprintf(out, "A move is typed as 22-17, 22x15 or c3-d4; help lists the commands.\n");
    }
    show(&turn);
    let_level_move(&turn);
    while (!turn.is_over) {
        fputs(play->has_prompt ? "> " : "", out);
        fflush(out);
        if (getline(&line, &room, in) < 0) {
            break;
        }
        take_line(&turn, line);
    }
    free(line);
    return ferror(in) ? DAMA_EXIT_FAILED : DAMA_EXIT_DONE;
}
