/* Shared by the tests of notation; see move_text.h. */
#include "support.h"
#include "move_text.h"

#include "engine/fen.h"
#include "engine/notation.h"

static void check_means(const struct dama_rules *rules, enum dama_squares squares,
                        const struct dama_position *position, const char *text, dama_move expected)
{
    dama_move move = DAMA_MOVE_NONE;
    struct dama_error err = {0};
    char fen[DAMA_FEN_SIZE];
    dama_fen_format(rules, squares, position, fen);
    dama_move_parse(rules, squares, position, text, &move, &err);
    if (move != expected) {
        fail_msg("%s %s %s: %s", rules->name, fen, text, err.text);
    }
}

void check_move_texts(const struct dama_rules *rules, const struct dama_position *position)
{
    struct dama_move_list legal;
    dama_kernel_find(rules)->generate(rules, position, &legal);
    for (int i = 0; i < legal.count; i++) {
        for (int squares = DAMA_SQUARES_OFFICIAL; squares <= DAMA_SQUARES_GRID; squares++) {
            char text[DAMA_MOVE_TEXT_SIZE];
            dama_move_format_full(rules, (enum dama_squares)squares, position, legal.moves[i],
                                  text);
            check_means(rules, (enum dama_squares)squares, position, text, legal.moves[i]);
            dama_move_format(rules, (enum dama_squares)squares, position, legal.moves[i], text);
            check_means(rules, (enum dama_squares)squares, position, text, legal.moves[i]);
        }
    }
}
