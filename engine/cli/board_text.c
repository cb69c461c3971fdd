/* Draws a board row by row, each dark square with its piece and its number. */
#include "engine/cli/board_text.h"

enum { SQUARE_WIDTH = 5 }; /* piece, blank, at most two characters of a number, blank */

enum piece { EMPTY, WHITE_MAN, WHITE_KING, BLACK_MAN, BLACK_KING };
static const char *const ascii_pieces[] = {".", "w", "W", "b", "B"};
static const char *const unicode_pieces[] = {"\u00b7", "\u26c0", "\u26c1", "\u26c2", "\u26c3"};

static enum piece piece_at(const struct dama_position *position, int bit)
{
    uint64_t square = UINT64_C(1) << bit;
    bool is_king = position->kings & square;
    if (position->pieces[DAMA_WHITE] & square) {
        return is_king ? WHITE_KING : WHITE_MAN;
    }
    if (position->pieces[DAMA_BLACK] & square) {
        return is_king ? BLACK_KING : BLACK_MAN;
    }
    return EMPTY;
}

/* Official Italian and Spanish boards are the grid seen in a mirror. */
static bool is_mirrored(const struct dama_rules *rules, enum dama_squares squares)
{
    return squares == DAMA_SQUARES_OFFICIAL && (rules->numbering == DAMA_NUMBERING_ROWS_REVERSED ||
                                                rules->numbering == DAMA_NUMBERING_FROM_BOTTOM);
}

static void print_row(FILE *out, const struct dama_rules *rules,
                      const struct dama_board_style *style, const struct dama_position *position,
                      int row)
{
    int size = rules->board_size;
    bool from_right = is_mirrored(rules, style->squares) != style->is_flipped;
    fputs("| ", out);
    for (int i = 0; i < size; i++) {
        int column = from_right ? size - 1 - i : i;
        if ((row + column) % 2 == 0) {
            fprintf(out, "%*s", SQUARE_WIDTH, "");
            continue;
        }
        int grid = row * (size / 2) + column / 2 + 1;
        enum piece piece = piece_at(position, dama_square_bit(size, grid));
        char number[4];
        dama_square_format(rules, style->squares, grid, number);
        fprintf(out, "%s %-3s", (style->is_ascii ? ascii_pieces : unicode_pieces)[piece], number);
    }
    fputs("|\n", out);
}

void dama_board_print(FILE *out, const struct dama_rules *rules,
                      const struct dama_board_style *style, const struct dama_position *position)
{
    int size = rules->board_size;
    for (int i = 0; i < size; i++) {
        print_row(out, rules, style, position, style->is_flipped ? size - 1 - i : i);
    }
}
