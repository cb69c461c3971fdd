/* Shared by tests; see support.h. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fen.h"

enum { LINE_SIZE = 1 << 16 };

void for_each_line(const char *path, line_function each, void *context)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", DAMA_TEST_DATA, path);
    FILE *file = fopen(name, "r");
    if (!file) {
        fail_msg("cannot open %s", name);
    }
    static char line[LINE_SIZE];
    int number = 0;
    while (fgets(line, sizeof line, file)) {
        char *end = strchr(line, '\n');
        if (!end) {
            fail_msg("%s:%d: line too long or without an end", name, number + 1);
        }
        *end = 0;
        each(context, line, ++number);
    }
    fclose(file);
    assert_true(number > 0);
}

struct dama_position grid_position(const struct dama_rules *rules, const char *fen)
{
    struct dama_position position;
    struct dama_error err = {0};
    if (dama_fen_parse(rules, DAMA_SQUARES_GRID, fen, &position, &err) != DAMA_OK) {
        fail_msg("%s: %s", fen, err.text);
    }
    return position;
}

struct dama_position random_position(const struct dama_rules *rules, struct dama_rng *rng)
{
    int squares = dama_rules_squares(rules);
    int pieces = 2 + (int)dama_rng_below(rng, (uint32_t)squares * 2 / 3);
    uint32_t kings_in_16 = dama_rng_below(rng, 17);
    struct dama_position position = {.side = dama_rng_below(rng, 2)};
    for (int i = 0; i < pieces; i++) {
        int square = 1 + (int)dama_rng_below(rng, (uint32_t)squares);
        uint64_t bit = UINT64_C(1) << dama_square_bit(rules->board_size, square);
        if ((position.pieces[0] | position.pieces[1]) & bit) {
            continue;
        }
        uint32_t side = dama_rng_below(rng, 2);
        int last = side == DAMA_WHITE ? 0 : rules->board_size - 1;
        bool must_be_king = (bit & dama_board_row(rules->board_size, last)) != 0;
        position.pieces[side] |= bit;
        if (must_be_king || dama_rng_below(rng, 16) < kings_in_16) {
            position.kings |= bit;
        }
    }
    return position;
}

static int compare_moves(const void *a, const void *b)
{
    const dama_move *x = a;
    const dama_move *y = b;
    return (*x > *y) - (*x < *y);
}

void sort_moves(struct dama_move_list *list)
{
    qsort(list->moves, (size_t)list->count, sizeof list->moves[0], compare_moves);
}

static void print_moves(const struct dama_move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        print_error(" %d>%d:%llx", dama_move_from(list->moves[i]), dama_move_to(list->moves[i]),
                    (unsigned long long)dama_move_captured(list->moves[i]));
    }
    print_error("\n");
}

void assert_same_moves(struct dama_move_list *a, struct dama_move_list *b, const char *where)
{
    sort_moves(a);
    sort_moves(b);
    bool same = a->count == b->count &&
                memcmp(a->moves, b->moves, (size_t)a->count * sizeof a->moves[0]) == 0;
    if (!same) {
        print_moves(a);
        print_moves(b);
        fail_msg("different moves: %s", where);
    }
}
