/* The request of a match: what its games are a function of. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/signature.h"
#include "eval/match_store.h"
#include "eval/opening_set.h"

enum { HEX_SIZE = 2 * DAMA_HASH_SIZE + 1 };

struct request {
    char *at;
    size_t length;
};

static void add(struct request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct request *request, const char *format, ...)
{
    size_t room = DAMA_MATCH_REQUEST_SIZE - request->length;
    va_list args;
    va_start(args, format);
    int written = vsnprintf(request->at + request->length, room, format, args);
    va_end(args);
    if (written > 0) {
        request->length += (size_t)written < room ? (size_t)written : room - 1;
    }
}

static void add_level(struct request *request, char name, const struct dama_level *level)
{
    add(request, "%c_level = nodes %" PRIu64 " depth %d noise %d margin %d random %d\n", name,
        level->nodes, level->depth, level->noise, level->margin, level->random_in);
}

/* A table is its bytes, an engine its command. */
static void add_player(struct request *request, char name, const struct dama_match_player *player)
{
    add(request, "%c = %s\n", name, player->name);
    if (player->weights) {
        unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES], hash[DAMA_HASH_SIZE];
        char hex[HEX_SIZE];
        dama_sha256(bytes, dama_weights_encode(player->weights, bytes), hash);
        dama_hash_hex(hash, hex);
        add(request, "%c_table = %s\n", name, hex);
    }
    if (player->level) {
        add_level(request, name, player->level);
    }
    add(request, "%c_nodes = %" PRIu64 "\n%c_depth = %d\n%c_time_ms = %" PRId64 "\n", name,
        player->nodes, name, player->depth, name, player->time_ms);
    add(request, "%c_clock_ms = %" PRId64 "\n%c_inc_ms = %" PRId64 "\n", name, player->clock_ms,
        name, player->inc_ms);
}

static void add_openings(struct request *request, const struct dama_match_setup *setup)
{
    unsigned char hash[DAMA_HASH_SIZE];
    char hex[HEX_SIZE] = "random plies";
    if (setup->openings) {
        dama_opening_set_hash(setup->openings, hash);
        dama_hash_hex(hash, hex);
    }
    add(request, "openings = %s\nrandom_plies = %d\nopening_window = %d\n", hex,
        setup->random_plies, setup->opening_window);
}

void dama_match_request(const struct dama_match_setup *setup, char out[DAMA_MATCH_REQUEST_SIZE])
{
    struct request request = {.at = out};
    char rules[HEX_SIZE];
    dama_hash_hex(setup->ruleset->hash, rules);
    add(&request, "variant = %s\nrules = %s\nengine = %08x\n", setup->ruleset->rules.name, rules,
        DAMA_ENGINE_SIGNATURE);
    add_player(&request, 'a', &setup->players[0]);
    add_player(&request, 'b', &setup->players[1]);
    add(&request, "seed = %" PRIu64 "\ndraw_rules = %s\n", setup->seed,
        dama_draw_rules_text(setup->draws));
    add_openings(&request, setup);
    add(&request, "max_plies = %d\ntable_kb = %zu\npatience_ms = %d\nmargin_ms = %d\n",
        setup->max_plies, setup->table_kb, setup->patience_ms, setup->margin_ms);
    if (setup->sprt) {
        add(&request, "sprt = %s elo0 %g elo1 %g alpha %g beta %g\n",
            dama_elo_model_text(setup->sprt->model), setup->sprt->elo0, setup->sprt->elo1,
            setup->sprt->alpha, setup->sprt->beta);
    } else {
        add(&request, "sprt = none\n");
    }
}
