/* Strength levels: what makes easy, medium and hard. */
#ifndef DAMA_LEVEL_H
#define DAMA_LEVEL_H

#include "engine/search.h"

#define DAMA_LEVELS(X) \
    X(easy)            \
    X(medium)          \
    X(hard)

/* Players to measure levels and tables against: name, plies of search, and of how many moves one is
   a random legal move. They are no levels to offer to people. */
#define DAMA_SPARRING_PARTNERS(X) \
    X(random, 0, 1)               \
    X(beginner, 2, 6)

struct dama_level {
    char name[16];
    uint64_t nodes; /* search limit of a move */
    int depth;      /* 0: no limit */
    int noise;  /* hundredths of a man: the score of each root move is shifted by seeded noise of
                   this half-width */
    int margin; /* hundredths of a man: chooses among the moves within this of the best, seeded */
    int random_in; /* one move in this many is any legal move, seeded; 0: none, 1: all */
};

/* The level compiled in from configs/levels.conf for this variant (a rules file takes the
   defaults), or a sparring partner. NULL: no such level. */
const struct dama_level *dama_level_find(const struct dama_rules *rules, const char *name);
/* A sparring partner plays by its own limits always, and best with the hand-set table, so that it
   is the same opponent whatever has been trained. */
static inline bool dama_level_is_partner(const struct dama_level *level)
{
    return level->random_in != 0;
}

/* The level's move in the game's present position: one legal move is played at once; the same seed
   and game give the same move on every platform, whatever the searcher did before: it is cleared. A
   level never draws at once what `hard` sees as won (two men ahead, or a win found).
   DAMA_MOVE_NONE when there is no legal move. */
dama_move dama_level_move(const struct dama_level *level, struct dama_searcher *searcher,
                          const struct dama_game *game, uint64_t seed);

#endif
