/* Finding openings that lose nothing: all of a kind, each judged by a search. */
#ifndef DAMA_OPENING_FIND_H
#define DAMA_OPENING_FIND_H

#include "engine/search.h"
#include "eval/opening_list.h"

struct dama_opening_search {
    const struct dama_ruleset *ruleset;
    const struct dama_weights *weights; /* of the judge */
    int plies;                          /* all starts of so many plies; 0: ballots */
    int depth;                          /* 0: no limit; one of the two at least */
    uint64_t nodes;
    int window; /* a start is kept when its score is within it, for either side */
    int threads;
};

/* All different positions of the kind, in a fixed order, with the score of the side to move; those
   beyond the window are left out of `out`, *found counts them too. Each is searched on its own with
   its draw rules' default, so the list is the same for any number of threads. */
enum dama_status dama_opening_find(const struct dama_opening_search *search,
                                   struct dama_opening_list *out, uint32_t *found,
                                   struct dama_error *err);

#endif
