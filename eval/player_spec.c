/* Reading a player's name, on rank 0 where it means a file. */
#include "eval/player_spec.h"

#include <stdio.h>
#include <string.h>

#include "cluster/comm.h"

bool dama_player_spec_is_level(const char *text)
{
    static const char *const levels[] = {
#define X(name) #name,
        DAMA_LEVELS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(text, levels[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum dama_status read_table(const struct dama_common *common,
                                   const struct dama_run_inputs *inputs,
                                   struct dama_player_spec *out, struct dama_error *err)
{
    const struct dama_level *level = dama_level_find(&inputs->ruleset.rules, out->text);
    if (level) {
        snprintf(out->level, sizeof out->level, "%s", out->text);
    }
    if (level && !dama_level_is_partner(level)) {
        out->weights = inputs->weights;
        return DAMA_OK;
    }
    struct dama_common own = *common;
    own.weights = level ? "hand-set" : out->text;
    return dama_common_weights(&own, &inputs->ruleset, &out->weights, err);
}

enum dama_status dama_player_spec_read(const char *text, const struct dama_common *common,
                                       const struct dama_run_inputs *inputs,
                                       struct dama_player_spec *out, struct dama_error *err)
{
    *out = (struct dama_player_spec){.text = text};
    if (dama_engine_spec_matches(text)) {
        return dama_engine_spec_parse(text, common->rules_file, &out->engine, err);
    }
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? read_table(common, inputs, out, err) : DAMA_OK, err));
    dama_comm_broadcast(&out->weights, sizeof out->weights);
    dama_comm_broadcast(out->level, sizeof out->level);
    return DAMA_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* An engine's text is its name as it stands. */
struct dama_match_player dama_player_spec_seat(const struct dama_player_spec *spec,
                                               const struct dama_run_inputs *inputs,
                                               const struct dama_player_limits *limits)
{
    bool is_engine = spec->engine.text != NULL;
    struct dama_match_player player = {
        .name = is_engine ? spec->text : base_name(spec->text),
        .weights = is_engine ? NULL : &spec->weights,
        .engine = is_engine ? &spec->engine : NULL,
        .level = *spec->level ? dama_level_find(&inputs->ruleset.rules, spec->level) : NULL,
        .nodes = limits->nodes,
        .depth = limits->depth,
        .time_ms = limits->time_ms,
        .clock_ms = limits->clock_ms,
        .inc_ms = limits->inc_ms,
    };
    bool is_limited = player.nodes || player.depth || player.time_ms || player.clock_ms;
    if (!player.level && !is_limited) {
        player.nodes = (uint64_t)inputs->config.match_nodes;
    }
    return player;
}
