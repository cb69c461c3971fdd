/* Fuzzes a line of the Hub protocol: its pairs, parameters, a position and moves. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cli/hub_board.h"
#include "engine/cli/hub_line.h"
#include "engine/cli/hub_params.h"

static void play(const struct dama_hub_board *board, const struct dama_position *start,
                 const char *moves)
{
    struct dama_error err = {0};
    struct dama_game *game = dama_game_new(board->rules, DAMA_DRAWS_SITE, start);
    dama_hub_read_moves(board, moves, game, &err);
    dama_game_free(game);
}

static void set_position(const struct dama_hub_board *board, const char *text, const char *moves)
{
    struct dama_position position;
    struct dama_error err = {0};
    char written[DAMA_HUB_POSITION_SIZE];
    if (dama_hub_read_position(board, text, &position, &err) == DAMA_OK) {
        fuzz_claim(dama_position_check(board->rules, &position, NULL) == DAMA_OK,
                   "a position that is read is possible");
        dama_hub_write_position(board, &position, written);
        fuzz_claim(!strcmp(written, text), "a position is written as it was read");
        play(board, &position, moves);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const struct dama_hub_board board = {.rules = fuzz_rules(data[0]),
                                         .numbers = (enum dama_hub_numbers)(data[1] % 3)};
    char *text = fuzz_text(data + 2, size - 2);
    struct dama_hub_line line;
    struct dama_hub_params params;
    struct dama_error err = {0};
    dama_hub_line_split(text, &line);
    fuzz_claim(line.count >= 0 && line.count <= DAMA_HUB_PAIRS_MAX, "the pairs fit");
    dama_hub_params_init(&params);
    for (int i = 0; i < line.count; i++) {
        dama_hub_params_set(&params, line.pairs[i].name, line.pairs[i].value, &err);
    }
    const char *position = dama_hub_line_value(&line, "pos");
    const char *moves = dama_hub_line_value(&line, "moves");
    if (position) {
        set_position(&board, position, moves ? moves : "");
    } else if (moves) {
        play(&board, NULL, moves);
    }
    free(text);
    return 0;
}
