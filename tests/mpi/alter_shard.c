/* Writes a shard again with one thing changed and every checksum right, as an error of ours would.
   usage: alter_shard FILE WHAT ROW; what: score, label, move, flags, overlap, crowned, empty, or
   game (the result of the first game with a winner, from the row on, as a whole), or block (the
   block's number becomes ROW). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/shard.h"

static struct dama_shard_origin origin_of(const struct dama_shard_facts *facts)
{
    struct dama_shard_origin origin = {.variant = facts->variant,
                                       .board_size = facts->board_size,
                                       .men = facts->men,
                                       .request = facts->request,
                                       .engine_signature = facts->engine_signature};
    memcpy(origin.rules_hash, facts->rules_hash, DAMA_HASH_SIZE);
    memcpy(origin.weights_hash, facts->weights_hash, DAMA_HASH_SIZE);
    memcpy(origin.features_hash, facts->features_hash, DAMA_HASH_SIZE);
    return origin;
}

/* Whoever won has lost, in every place that says so. */
static void turn_game(struct dama_shard *shard, size_t from)
{
    for (size_t g = 0; g < shard->games; g++) {
        struct dama_game_row *game = &shard->game[g];
        if (game->first_row >= from && game->result != 0) {
            game->result = (int8_t)-game->result;
            for (size_t r = game->first_row; r < game->first_row + game->rows; r++) {
                shard->row[r].result = (int8_t)-shard->row[r].result;
            }
            return;
        }
    }
    fprintf(stderr, "alter_shard: no game with a winner\n");
    exit(1);
}

static void alter_row(struct dama_row *row, const char *what)
{
    if (!strcmp(what, "score")) {
        row->score ^= 1;
    } else if (!strcmp(what, "label")) {
        row->result = row->result ? 0 : 1;
    } else if (!strcmp(what, "move")) {
        row->to = row->to > 1 ? (uint8_t)(row->to - 1) : 2;
    } else if (!strcmp(what, "flags")) {
        row->flags ^= DAMA_ROW_ONLY_MOVE;
    } else if (!strcmp(what, "overlap")) {
        row->white_kings |= row->white_men & -row->white_men;
    } else if (!strcmp(what, "crowned")) {
        row->black_men &= ~UINT64_C(1);
        row->black_kings &= ~UINT64_C(1);
        row->white_kings &= ~UINT64_C(1);
        row->white_men |= 1;
    } else if (!strcmp(what, "empty")) {
        row->white_men = row->white_kings = row->black_men = row->black_kings = 0;
    } else {
        fprintf(stderr, "alter_shard: '%s' is no change\n", what);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct dama_shard shard = {0};
    struct dama_error err = {0};
    if (argc != 4 || dama_shard_load(argv[1], NULL, &shard, NULL, &err) != DAMA_OK) {
        fprintf(stderr, "alter_shard: %s\n", argc == 4 ? err.text : "expected FILE WHAT ROW");
        return 1;
    }
    size_t row = (size_t)atol(argv[3]);
    if (!strcmp(argv[2], "game")) {
        turn_game(&shard, row);
    } else if (!strcmp(argv[2], "block")) {
        shard.block = row;
    } else {
        alter_row(&shard.row[row], argv[2]);
    }
    struct dama_shard_origin origin = origin_of(&shard.facts);
    if (dama_shard_save(argv[1], &shard, &origin, NULL, &err) != DAMA_OK) {
        fprintf(stderr, "alter_shard: %s\n", err.text);
        return 1;
    }
    dama_shard_free(&shard);
    return 0;
}
