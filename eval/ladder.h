/* A ladder: one list of ratings over players who meet until every error bar is short enough. */
#ifndef DAMA_LADDER_H
#define DAMA_LADDER_H

#include "eval/match.h"
#include "eval/rating.h"

enum { DAMA_LADDER_NAME_SIZE = 256 };

struct dama_ladder_player {
    const char *name;     /* in the list; no two are equal */
    const char *identity; /* what it plays with: another text under a stored name is refused */
    struct dama_match_player seat;
};

/* The same on every rank. What is pointed to must outlive the ladder. */
struct dama_ladder_setup {
    const char *folder; /* keeps the results and games; made when absent */
    /* Everything of the matches but players, pairs, seed, test and PDN file. */
    struct dama_match_setup match;
    const char *request; /* a JSON object of texts: what all results depend on but the players */
    const struct dama_ladder_player *players;
    int player_count;
    int anchor;
    uint64_t seed;
    double width;    /* the error bar of every player, half its interval, is to be this or less */
    int batch_pairs; /* pairs of the first sitting of two players, each later one has as many more;
                        a sitting is the unit that is stored */
    int64_t pairs_max; /* two players meet in so many pairs at most */
};

/* Who has met whom: bouts by first and second player of the list. */
struct dama_ladder_result {
    struct dama_rating ratings[DAMA_RATING_PLAYERS_MAX];
    double nu;
    int bout_count;
    struct dama_rating_bout bouts[DAMA_RATING_PLAYERS_MAX * (DAMA_RATING_PLAYERS_MAX - 1) / 2];
    uint64_t games, distinct_games;           /* distinct within their sittings */
    uint64_t faults[DAMA_RATING_PLAYERS_MAX]; /* games lost by a crash, a late or illegal move */
    uint64_t most_pairs;                      /* of two players */
    double widest;                            /* the longest error bar */
};

/* Collective. Plays what is missing: sittings that are stored are not played again, and a kill
   costs at most one. First each player meets the next of the list, then the bout that promises to
   narrow the bars that are too wide most. FOLDER/ladder.jsonl keeps request, players and sittings,
   FOLDER/games/ their PDN. Under node and depth limits the same folder for any ranks and threads.
   The result is rank 0's. DAMA_STOPPED when a stop was requested. */
enum dama_status dama_ladder_run(const struct dama_ladder_setup *setup,
                                 struct dama_ladder_result *result, struct dama_error *err);

#endif
