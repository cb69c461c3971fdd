/* Whole files of tests/data in memory, and games rebuilt from what was read, for the tests of PDN.
 */
#ifndef DAMA_TESTS_PDN_FILE_H
#define DAMA_TESTS_PDN_FILE_H

#include "engine/pdn.h"

/* The bytes of a file below tests/data; released by free(). Fails the test when it is missing. */
char *load_file(const char *path, size_t *size);

/* The game that a replay went through, to be freed; a replay that is broken by a set-up fails. */
struct dama_game *rebuild_game(const struct dama_rules *rules,
                               const struct dama_pdn_replay *replay);

/* Writes a game, reads the text back without being told the rules, and fails unless rules, moves
   and a second writing are the same. */
void check_written(const struct dama_game *game, struct dama_game_state state,
                   const struct dama_pdn_pair *tags, int tag_count);

#endif
