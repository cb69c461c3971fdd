/* `moves`: the legal moves of positions read from stdin, a line each. */
#include "engine/cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/json.h"
#include "engine/cli/move_order.h"
#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/fen.h"
#include "engine/notation.h"

enum { SQUARES_MAX = 50 };

struct moves {
    struct dama_common common;
    bool json;
    struct dama_ruleset ruleset;
    enum dama_squares squares;
};

static bool has_letters(const struct moves *moves)
{
    return moves->squares == DAMA_SQUARES_OFFICIAL &&
           moves->ruleset.rules.numbering == DAMA_NUMBERING_ALGEBRAIC;
}

static void print_square(const struct moves *moves, int grid)
{
    char text[4];
    dama_square_format(&moves->ruleset.rules, moves->squares, grid, text);
    const char *quote = has_letters(moves) ? "\"" : "";
    printf("%s%s%s", quote, text, quote);
}

/* Letters ascend as text, numbers as numbers in the numbering that is written. */
static int square_key(const struct moves *moves, int grid)
{
    const struct dama_rules *rules = &moves->ruleset.rules;
    if (has_letters(moves)) {
        return dama_square_column(rules->board_size, grid) * rules->board_size -
               dama_square_row(rules->board_size, grid);
    }
    return moves->squares == DAMA_SQUARES_GRID ? grid : dama_square_official(rules, grid);
}

static void print_captured(const struct moves *moves, uint64_t bits)
{
    int board_size = moves->ruleset.rules.board_size;
    int squares[SQUARES_MAX];
    int count = 0;
    for (; bits; bits &= bits - 1) {
        int grid = dama_bit_square(board_size, dama_bits_first(bits));
        int place = count++;
        while (place > 0 && square_key(moves, squares[place - 1]) > square_key(moves, grid)) {
            squares[place] = squares[place - 1];
            place--;
        }
        squares[place] = grid;
    }
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "", stdout);
        print_square(moves, squares[i]);
    }
}

static void print_json(const struct moves *moves, const char *fen,
                       const struct dama_position *position, const struct dama_move_list *list)
{
    int board_size = moves->ruleset.rules.board_size;
    printf("{\"fen\":");
    dama_json_string(stdout, fen);
    printf(",\"moves\":[");
    for (int i = 0; i < list->count; i++) {
        dama_move move = list->moves[i];
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(&moves->ruleset.rules, moves->squares, position, move, text);
        printf("%s{\"move\":\"%s\",\"from\":", i ? "," : "", text);
        print_square(moves, dama_bit_square(board_size, dama_move_from(move)));
        printf(",\"to\":");
        print_square(moves, dama_bit_square(board_size, dama_move_to(move)));
        printf(",\"captured\":[");
        print_captured(moves, dama_move_captured(move));
        printf("]}");
    }
    puts("]}");
}

static void print_plain(const struct moves *moves, const struct dama_position *position,
                        const struct dama_move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(&moves->ruleset.rules, moves->squares, position, list->moves[i],
                              text);
        printf("%s%s", i ? " " : "", text);
    }
    putchar('\n');
}

static void print_error(const struct moves *moves, const char *fen, const char *text)
{
    if (!moves->json) {
        printf("error: %s\n", text);
        return;
    }
    printf("{\"fen\":");
    dama_json_string(stdout, fen);
    printf(",\"error\":");
    dama_json_string(stdout, text);
    puts("}");
}

static bool answer(const struct moves *moves, const char *fen)
{
    struct dama_error err = {0};
    struct dama_position position;
    struct dama_move_list list;
    const struct dama_rules *rules = &moves->ruleset.rules;
    if (dama_fen_parse(rules, moves->squares, fen, &position, &err) != DAMA_OK ||
        dama_moves_sorted(rules, moves->ruleset.kernel, &position, &list, &err) != DAMA_OK) {
        print_error(moves, fen, err.text);
        return false;
    }
    if (moves->json) {
        print_json(moves, fen, &position, &list);
    } else {
        print_plain(moves, &position, &list);
    }
    return true;
}

/* Each line is answered before the next is read, so that a program can hold a conversation. */
static int answer_all(const struct moves *moves)
{
    char *line = NULL;
    size_t room = 0;
    int failures = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) >= 0) {
        bool has_zero = strlen(line) < (size_t)length;
        line[strcspn(line, "\r\n")] = '\0';
        if (has_zero) {
            print_error(moves, line, "expected text, found a zero byte");
        }
        failures += has_zero || !answer(moves, line);
        fflush(stdout);
    }
    free(line);
    if (ferror(stdin)) {
        fprintf(stderr, "dama: cannot read standard input\n");
        return DAMA_EXIT_FAILED;
    }
    if (failures) {
        fprintf(stderr, "dama: %d position%s could not be read\n", failures,
                failures == 1 ? "" : "s");
    }
    return failures ? DAMA_EXIT_FAILED : DAMA_EXIT_DONE;
}

int dama_verb_moves(int argc, char **argv)
{
    struct moves moves = {0};
    const struct dama_option options[] = {
        dama_option_variant(&moves.common),
        dama_option_rules(&moves.common),
        dama_option_json(&moves.json, "a JSON object a line"),
        dama_option_squares(&moves.common, "numbering of squares in and out"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "moves",
        .arguments = "",
        .summary = "Reads FENs from standard input, one a line, and prints the legal moves of "
                   "each, a line each, with their full paths.",
        .details = "Moves are sorted by grid squares. A FEN that cannot be read is answered by "
                   "its error, and the exit status is 1 at the end.",
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    struct dama_error err = {0};
    if (dama_common_squares(&moves.common, &moves.squares, &err) != DAMA_OK ||
        dama_common_rules(&moves.common, &moves.ruleset, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    return answer_all(&moves);
}
