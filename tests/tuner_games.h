/* Shards of random games for the tuner's tests, in memory and as files. */
#ifndef DAMA_TUNER_GAMES_H
#define DAMA_TUNER_GAMES_H

#include "cluster/shard.h"
#include "engine/cli/options.h"

/* Games first_game .. first_game + games - 1 of random play, as self-play would store them: results
   of the rules, or the ply cap after `plies_max` plies. Scores are 0 but for the rows of some
   plies, which are far off. */
void random_games(struct dama_shard *out, const struct dama_ruleset *ruleset, uint64_t first_game,
                  int games, int plies_max);

/* One game of one row for each of `rows` random quiet positions, kings and men of any number: its
   result is a win or a loss, drawn with the probability that the table and its slope give
   (positions beyond 4 logits are passed over). The results are independent, as the model of the fit
   has it. */
void model_games(struct dama_shard *out, const struct dama_ruleset *ruleset,
                 const struct dama_weights *table, uint64_t seed, int rows);

/* A new empty folder, removed with all that is in it by remove_folder. */
void make_folder(char path[64]);
void remove_folder(const char *path);
/* FOLDER/shards/NAME-000000.h5 and so on: this many shards of `games` random games each. */
void save_random_run(const char *folder, const struct dama_ruleset *ruleset, int shards, int games);
/* The path of one of them. */
void shard_path(const char *folder, const struct dama_ruleset *ruleset, int block, char path[128]);
/* Saves one shard there. */
void save_shard(const char *folder, const struct dama_ruleset *ruleset, int block,
                const struct dama_shard *shard);

#endif
