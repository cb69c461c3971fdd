/* Strength levels: what makes easy, medium and hard (DESIGN.md 5). */
#ifndef DAMA_LEVEL_H
#define DAMA_LEVEL_H

#include "engine/search.h"

#define DAMA_LEVELS(X) \
    X(easy)            \
    X(medium)          \
    X(hard)

struct dama_level {
    char name[16];
    uint64_t nodes; /* search limit of a move */
    int depth;      /* 0: no limit */
    int noise;  /* hundredths of a man: the score of each root move is shifted by seeded noise of
                   this half-width */
    int margin; /* hundredths of a man: chooses among the moves within this of the best, seeded */
};

/* The level compiled in from configs/levels.conf for this variant (a rules file takes the
 * defaults). NULL: no such level. */
const struct dama_level *dama_level_find(const struct dama_rules *rules, const char *name);

/* The level's move in the game's present position: one legal move is played at once; the same seed
   and game give the same move on every platform, whatever the searcher did before: it is cleared. DAMA_MOVE_NONE when there is no legal move. */
dama_move dama_level_move(const struct dama_level *level, struct dama_searcher *searcher,
                          const struct dama_game *game, uint64_t seed);

#endif
