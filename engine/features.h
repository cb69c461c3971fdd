/* The named features of the evaluation: one list, from which offsets, table names, trace, export
   and documentation come.

   Each coefficient is a count of one's own minus the opponent's count of the same, unless the
   meaning says otherwise; rows, ahead and behind are seen from the side they belong to. The list
   is identifiable: the reference states have no weight. These are the empty back row, men on the
   two rows next to their own side (their number follows from the back row's pattern and from man),
   pieces that stand neither in the centre nor on an edge, and balances with many pieces left. What
   a board or a rule set has not is silent there: centre[1], advance[5] and advance[6] on 8x8,
   king_shields wherever a man may capture a king. */
#ifndef DAMA_FEATURES_H
#define DAMA_FEATURES_H

#include <stddef.h>
#include <stdint.h>

/* Feature group, number of weights, meaning. */
#define DAMA_FEATURES(X)                                                                          \
    X(man, 1, "men; the unit, fixed at 100 in the first phase")                                   \
    X(king, 1, "kings")                                                                           \
    X(first_king, 1, "has a king while the opponent has none")                                    \
    X(trade_when_ahead, 3, "has more pieces, at most 1/4, 1/2, 3/4 of all pieces being left")     \
    X(back_row, 15,                                                                               \
      "men on the inner squares of the back row: [p - 1] is pattern p, its left bit 0")           \
    X(advance, 7, "men by steps left to crowning: [0] is one step; [5] and [6] on 10x10 only")    \
    X(centre, 3, "men on the 4x4 centre, men on the ring around it (10x10 only), kings on 4x4")   \
    X(edge, 2, "men on the side columns, kings on the rim without the four corner regions")       \
    X(supported, 2, "men with a friend behind them on one side at least, on both sides")          \
    X(balance, 1, "men that one half of the board, left or right, has more than the other")       \
    X(mobility, 2, "quiet steps of men, those of them after which no neighbour can take the man") \
    X(blocked, 1, "men that have no empty square ahead")                                          \
    X(runaway, 4, "men 1..4 steps from crowning that no piece ahead of them can meet")            \
    X(king_mobility, 1, "squares that kings can reach in one quiet move")                         \
    X(trapped_king, 1, "kings that can reach no square where no neighbour can take them")         \
    X(corner_king, 2, "kings on the ends of the long diagonal, kings in the double corners")      \
    X(long_diagonal, 2, "has a king on the long diagonal, has it with no opposing piece there")   \
    X(king_distance, 1, "opposing pieces within two diagonal steps of a king")                    \
    X(king_company, 1, "kings that touch a piece of their own side")                              \
    X(king_shields, 1, "men with a king of their own ahead that no man can take (Italian)")       \
    X(the_move, 2, "with as many pieces each, who has the opposition: men only, kings too")       \
    X(en_prise, 1, "pieces of the side to move alone that a neighbour could take at its turn")    \
    X(turn, 1, "the right to move: 1 for the side to move")

enum dama_feature_offset {
#define X(name, count, meaning) \
    DAMA_FEATURE_##name, DAMA_FEATURE_##name##_last = DAMA_FEATURE_##name + (count)-1,
    DAMA_FEATURES(X)
#undef X
        DAMA_FEATURE_COUNT
};
enum { DAMA_PHASES = 2 };

/* A feature group: its name, where its weights start and how many there are. */
struct dama_feature {
    const char *name;
    int offset;
    int count;
    const char *meaning;
};
extern const struct dama_feature dama_features[];
extern const int dama_features_count;

/* Room for any name that dama_feature_name writes. */
enum { DAMA_FEATURE_NAME_SIZE = 32 };
/* Writes the name of weight index 0..DAMA_FEATURE_COUNT-1 ("king", "back_row[3]"). */
void dama_feature_name(int index, char *out, size_t size);
/* SHA-256 of the canonical text of the list, made at build time. */
extern const unsigned char dama_features_hash[32];
/* The canonical text: "name count" a line. Writes at most size bytes with the final zero, returns
   the length of the whole text. */
size_t dama_features_format(char *out, size_t size);

#endif
