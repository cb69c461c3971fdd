/* Replaying recorded games into PDN text. */
#include "eval/match_pdn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/run_folder.h"
#include "engine/pdn.h"

enum { NUMBER_SIZE = 48 };

struct dama_match_pdn {
    const struct dama_match_setup *setup;
    FILE *file;
    struct dama_game *game;
    char *text; /* of one game; grows */
    size_t size;
};

struct dama_match_pdn *dama_match_pdn_new(const struct dama_match_setup *setup,
                                          struct dama_error *err)
{
    struct dama_match_pdn *pdn = calloc(1, sizeof *pdn);
    if (pdn) {
        pdn->setup = setup;
        pdn->game = dama_game_new(&setup->ruleset->rules, setup->draws, NULL);
    }
    if (!pdn || !pdn->game) {
        dama_fail(err, DAMA_MEMORY, "no memory for a PDN file");
        dama_match_pdn_free(pdn);
        return NULL;
    }
    if (dama_run_check_target(setup->pdn, err) != DAMA_OK) {
        dama_match_pdn_free(pdn);
        return NULL;
    }
    pdn->file = fopen(setup->pdn, "wb");
    if (!pdn->file) {
        dama_fail(err, DAMA_IO, "%s: cannot be written: %s", setup->pdn, strerror(errno));
        dama_match_pdn_free(pdn);
        return NULL;
    }
    return pdn;
}

void dama_match_pdn_free(struct dama_match_pdn *pdn)
{
    if (pdn) {
        if (pdn->file) {
            fclose(pdn->file);
        }
        dama_game_free(pdn->game);
        free(pdn->text);
        free(pdn);
    }
}

enum dama_status dama_match_pdn_close(struct dama_match_pdn *pdn, struct dama_error *err)
{
    if (!pdn) {
        return DAMA_OK;
    }
    enum dama_status status = DAMA_OK;
    if (fclose(pdn->file) != 0) {
        status =
            dama_fail(err, DAMA_IO, "%s: writing failed: %s", pdn->setup->pdn, strerror(errno));
    }
    pdn->file = NULL;
    dama_match_pdn_free(pdn);
    return status;
}

static enum dama_status write_game(struct dama_match_pdn *pdn, struct dama_game_state state,
                                   const struct dama_pdn_pair *tags, int tag_count,
                                   struct dama_error *err)
{
    struct dama_text text = {.at = pdn->text, .size = pdn->size};
    dama_pdn_write(&text, pdn->game, state, tags, tag_count);
    if (!dama_text_fits(&text)) {
        char *grown = realloc(pdn->text, text.length + 1);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a game of %lu characters",
                             (unsigned long long)text.length);
        }
        pdn->text = grown;
        pdn->size = text.length + 1;
        text = (struct dama_text){.at = pdn->text, .size = pdn->size};
        dama_pdn_write(&text, pdn->game, state, tags, tag_count);
    }
    if (fwrite(pdn->text, 1, text.length, pdn->file) != text.length) {
        return dama_fail(err, DAMA_IO, "%s: writing failed: %s", pdn->setup->pdn, strerror(errno));
    }
    return DAMA_OK;
}

static enum dama_status add_game(struct dama_match_pdn *pdn, int64_t pair, int number,
                                 const struct dama_pair_record *record, struct dama_error *err)
{
    const struct dama_pair_game *game = &record->games[number];
    const dama_move *moves = record->moves + number * dama_pair_move_room(pdn->setup);
    dama_game_reset(pdn->game, dama_pair_start(pdn->setup, record->opening));
    for (int ply = 0; ply < game->plies; ply++) {
        if (dama_game_play(pdn->game, moves[ply]) != DAMA_OK) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a game of %d plies", game->plies);
        }
    }
    int a_colour = dama_pair_colour(pdn->setup, number);
    char round[NUMBER_SIZE];
    char opening[NUMBER_SIZE];
    snprintf(round, sizeof round, "%lld.%d", (long long)pair + 1, number + 1);
    snprintf(opening, sizeof opening, "%llu", (unsigned long long)record->opening);
    const struct dama_pdn_pair tags[] = {
        {"Event", "dama match"},
        {"Round", round},
        {"White", pdn->setup->players[a_colour == DAMA_WHITE ? 0 : 1].name},
        {"Black", pdn->setup->players[a_colour == DAMA_WHITE ? 1 : 0].name},
        {"Opening", opening},
    };
    struct dama_game_state state = {
        .termination = (enum dama_termination)game->termination,
        .reason = (enum dama_draw_reason)game->reason,
        .result = game->result,
    };
    return write_game(pdn, state, tags, sizeof tags / sizeof *tags, err);
}

enum dama_status dama_match_pdn_add(struct dama_match_pdn *pdn, int64_t pair,
                                    const struct dama_pair_record *record, struct dama_error *err)
{
    DAMA_TRY(add_game(pdn, pair, 0, record, err));
    return add_game(pdn, pair, 1, record, err);
}
