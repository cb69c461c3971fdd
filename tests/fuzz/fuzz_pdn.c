/* Fuzzes PDN: every game is read to its end and replayed by its own rules and by given ones. */
#include "fuzz.h"

#include <string.h>

#include "engine/pdn.h"

static void replay(const struct dama_pdn_game *game, const struct dama_rules *given,
                   struct dama_pdn_replay *line)
{
    const struct dama_rules *rules = NULL;
    struct dama_error err = {0};
    if (dama_pdn_rules(game, given, &rules, &err) != DAMA_OK) {
        return;
    }
    enum dama_status status = dama_pdn_replay(game, rules, DAMA_SQUARES_OFFICIAL, line, &err);
    fuzz_claim(line->count <= game->token_count, "there are no more moves than were written");
    fuzz_claim((status == DAMA_OK) == !err.text[0], "a failure has a text, success none");
    dama_pdn_game_result(rules, game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    struct dama_pdn_reader reader = dama_pdn_open("input", (const char *)data + 1, size - 1);
    struct dama_pdn_game game = {0};
    struct dama_pdn_replay line = {0};
    char value[64];
    while (dama_pdn_next(&reader, &game)) {
        fuzz_claim((size_t)reader.games <= size, "a game has a byte");
        for (int i = 0; i < game.tag_count; i++) {
            dama_pdn_unescape(game.tags[i].value, value, sizeof value);
        }
        replay(&game, NULL, &line);
        replay(&game, fuzz_rules(data[0]), &line);
    }
    dama_pdn_replay_free(&line);
    dama_pdn_game_free(&game);
    return 0;
}
