/* Fuzzes what stands in a shard: rows and games of any bytes are refused, or can be walked safely.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"
#include "selfplay/verify.h"

/* Takes `count` records out of the input, or as many as there are. */
static size_t take(const uint8_t **data, size_t *size, size_t record, size_t count, void *out)
{
    size_t there = *size / record < count ? *size / record : count;
    memcpy(out, *data, there * record);
    *data += there * record;
    *size -= there * record;
    return there;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { GAMES_MAX = 4, ROWS_MAX = 64 };
    static struct dama_stored_run run;
    struct dama_game_row games[GAMES_MAX] = {{0}};
    struct dama_row rows[ROWS_MAX] = {{0}};
    struct dama_error err = {0};
    if (size < 2) {
        return 0;
    }
    const struct dama_rules *rules = fuzz_rules(data[0]);
    size_t game_count = data[1] % (GAMES_MAX + 1);
    data += 2;
    size -= 2;
    struct dama_shard shard = {.game = games, .row = rows};
    shard.games = take(&data, &size, sizeof games[0], game_count, games);
    shard.rows = take(&data, &size, sizeof rows[0], ROWS_MAX, rows);
    shard.facts.board_size = rules->board_size;
    shard.facts.men = dama_rules_men(rules);
    dama_shard_content_hash(&shard, (unsigned char[DAMA_HASH_SIZE]){0});
    if (dama_shard_check(&shard, &err) == DAMA_OK) {
        fuzz_claim(dama_ruleset_builtin(rules->name, &run.ruleset, &err) == DAMA_OK,
                   "a built-in is found by its name");
        dama_run_config_default(&run.config);
        dama_verify_shard(&run, &shard, &err);
        for (size_t g = 0; g < shard.games; g++) {
            dama_record_identify(rows + games[g].first_row, games[g].rows);
        }
    }
    return 0;
}
