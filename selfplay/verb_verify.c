/* dama verify: checks every shard and every game of a run. */
#include <stdio.h>

#include "cluster/comm.h"
#include "engine/cli/options.h"
#include "selfplay/selfplay_verbs.h"
#include "selfplay/verify.h"

int dama_verb_verify(int argc, char **argv)
{
    struct dama_verify_depth depth = {0};
    bool json = false;
    const struct dama_option options[] = {
        {"replay", DAMA_OPTION_NUMBER, &depth.replay_share, "P",
         "play this share of the games again, 0 to 1", 0, 0},
        {"quick", DAMA_OPTION_FLAG, &depth.is_quick, NULL,
         "the bytes alone: header, checksums, block; not what the rows say", 0, 0},
        {"json", DAMA_OPTION_FLAG, &json, NULL, "the report as JSON", 0, 0},
        {0},
    };
    const struct dama_usage usage = {
        .verb = "verify",
        .arguments = "RUN",
        .summary = "Check every shard of a run: hash, types, rows, and every game by the rules.",
        .details = "Each bad shard is one line on stderr: file, row, reason. Exit 1 when there is "
                   "one.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    if (depth.is_quick && depth.replay_share > 0) {
        dama_options_fail(&usage, "expected --quick or --replay, found both");
    }
    struct dama_error err = {0};
    struct dama_verify_report r;
    enum dama_status status = dama_verify_run(rest.at[0], &depth, &r, &err);
    bool has_report = status == DAMA_OK || status == DAMA_CORRUPT;
    if (has_report && dama_comm_rank() == 0) {
        printf(json ? "{\"shards\":%llu,\"bad\":%llu,\"games\":%llu,\"positions\":%llu,"
                      "\"bytes\":%llu,\"replayed\":%llu,\"seconds\":%.3f}\n"
                    : "shards %llu, bad %llu, games %llu, positions %llu, bytes %llu, played again "
                      "%llu, %.1f s\n",
               (unsigned long long)r.shards, (unsigned long long)r.bad_shards,
               (unsigned long long)r.games, (unsigned long long)r.rows, (unsigned long long)r.bytes,
               (unsigned long long)r.replayed, r.seconds);
    }
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
