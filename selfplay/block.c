/* Arithmetic of blocks and counting of what is in one. */
#include "selfplay/block.h"

#include <stdio.h>
#include <string.h>

int64_t dama_block_count(const struct dama_block_plan *plan)
{
    return (plan->games + plan->block_games - 1) / plan->block_games;
}

int64_t dama_block_first_game(const struct dama_block_plan *plan, int64_t block)
{
    return plan->first_game + (block - plan->first_block) * plan->block_games;
}

int dama_block_games(const struct dama_block_plan *plan, int64_t block)
{
    int64_t left = plan->games - (block - plan->first_block) * plan->block_games;
    return (int)(left < plan->block_games ? left : plan->block_games);
}

void dama_block_path(const char *folder, const char *variant, int64_t block, char *out, size_t size)
{
    snprintf(out, size, "%s/shards/%s-%06lld.h5", folder, variant, (long long)block);
}

size_t dama_block_result_size(int64_t block_games)
{
    return sizeof(struct dama_block_result) +
           (size_t)block_games * sizeof(struct dama_record_identity);
}

void dama_block_result_fill(struct dama_block_result *result, const struct dama_shard *shard,
                            const struct dama_shard_header *header)
{
    memset(result, 0, sizeof *result);
    result->block = (int64_t)shard->block;
    result->games = shard->games;
    result->rows = shard->rows;
    result->bytes = header->bytes;
    memcpy(result->sha256, header->sha256, DAMA_HASH_SIZE);
    for (size_t i = 0; i < shard->games; i++) {
        const struct dama_game_row *game = &shard->game[i];
        result->plies += game->plies;
        result->results[game->result + 1]++;
        result->ends[game->termination]++;
        result->identity[i] = dama_record_identify(shard->row + game->first_row, game->rows);
    }
}
