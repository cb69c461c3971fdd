/* One generation after the other: what its files do not show yet is done, in order. */
#include "cluster/train.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "cluster/train_match.h"
#include "eval/report.h"
#include "selfplay/run_store.h"
#include "selfplay/selfplay.h"
#include "tuner/tune.h"

/* Seeds of the matches: the generation's number is added to the run's seed, for the last match
   this, which no generation reaches. */
enum { FINAL_SEED = 1000000 };

/* The loop's state; all of it but the options is read back from files. */
struct loop {
    const struct dama_train_setup *setup;
    const struct dama_ruleset *ruleset;
    const struct dama_run_config *config;
    struct dama_train_result *out;
    char folder[DAMA_TRAIN_PATH_SIZE]; /* of the present generation */
    bool has_no_gnuplot;               /* said once, then no report is tried any more */
};

static void generation_folder(const struct loop *loop, int generation,
                              char out[DAMA_TRAIN_PATH_SIZE])
{
    snprintf(out, DAMA_TRAIN_PATH_SIZE, "%s/gen-%03d", loop->setup->run, generation);
}

static void table_path(const char *folder, char out[DAMA_TRAIN_PATH_SIZE])
{
    snprintf(out, DAMA_TRAIN_PATH_SIZE, "%s/weights.dama", folder);
}

static enum dama_status play(struct loop *loop, int generation, struct dama_error *err)
{
    int64_t games = loop->config->games;
    struct dama_selfplay_setup setup = {
        .ruleset = loop->ruleset,
        .weights = &loop->out->weights,
        .config = loop->config,
        .folder = loop->folder,
        .run = loop->setup->run,
        .plan = {.first_game = generation * games,
                 .games = games,
                 .block_games = loop->config->block_games},
        .threads = loop->setup->threads,
    };
    setup.plan.first_block = generation * dama_block_count(&setup.plan);
    struct dama_selfplay_summary summary;
    DAMA_TRY(dama_selfplay_run(&setup, &summary, err));
    struct dama_train_generation *last = &loop->out->last;
    last->games = summary.games;
    last->distinct_games = summary.distinct_games;
    last->positions = summary.rows;
    dama_log_info("gen-%03d: %llu games (%llu distinct, %llu distinct openings), %llu positions",
                  generation, (unsigned long long)summary.games,
                  (unsigned long long)summary.distinct_games,
                  (unsigned long long)summary.distinct_openings, (unsigned long long)summary.rows);
    return DAMA_OK;
}

/* Games that no fit will use may have been freed by `clean`, and are not played again. */
static enum dama_status play_unless_spent(struct loop *loop, int generation, struct dama_error *err)
{
    bool is_spent = generation + 1 < loop->config->generations &&
                    dama_run_games_are_spent(loop->setup->run, generation, loop->config->window);
    dama_comm_broadcast(&is_spent, sizeof is_spent);
    return is_spent ? DAMA_OK : play(loop, generation, err);
}

/* The folders of the last `window` generations, newest last. */
static int list_window(const struct loop *loop, int generation, const char *folders[],
                       char paths[][DAMA_TRAIN_PATH_SIZE])
{
    int window = (int)loop->config->window;
    int first = generation + 1 > window ? generation + 1 - window : 0;
    int count = 0;
    for (int g = first; g <= generation; g++, count++) {
        generation_folder(loop, g, paths[count]);
        folders[count] = paths[count];
    }
    return count;
}

/* The folder's own name, with the slashes that end the path, if any. */
static const char *base_name(const char *path)
{
    const char *at = path + strlen(path);
    while (at > path && at[-1] == '/') {
        at--;
    }
    while (at > path && at[-1] != '/') {
        at--;
    }
    return at;
}

static enum dama_status fit(struct loop *loop, int generation, const char *const folders[],
                            int count, struct dama_error *err)
{
    struct dama_tune_setup setup;
    dama_tune_defaults(&setup);
    setup.folders = folders;
    setup.folder_count = count;
    setup.ruleset = loop->ruleset;
    setup.parent = &loop->out->weights;
    setup.filter.score_cap = (int)loop->config->score_cap;
    setup.filter.rows_per_game = (int)loop->config->rows_per_game;
    setup.filter.skip_plies = (int)loop->config->tune_skip_plies;
    setup.filter.max_ply = (int)loop->config->tune_max_ply;
    setup.filter.holdout = loop->config->holdout;
    setup.ridge = loop->config->ridge;
    setup.threads = loop->setup->threads;
    setup.run = base_name(loop->setup->run);
    setup.generation = (uint32_t)generation;
    char path[DAMA_TRAIN_PATH_SIZE];
    table_path(loop->folder, path);
    setup.table_path = path;
    struct dama_tune_result *result = calloc(1, sizeof *result);
    DAMA_TRY(dama_comm_agree(result ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a fit"),
                             err));
    enum dama_status status = dama_tune_run(&setup, result, err);
    if (status == DAMA_OK && dama_comm_rank() == 0) {
        status = dama_tune_save(result, path, err);
    }
    dama_tune_free(result);
    free(result);
    return dama_comm_agree(status, err);
}

static enum dama_status tune(struct loop *loop, int generation, struct dama_error *err)
{
    char path[DAMA_TRAIN_PATH_SIZE];
    table_path(loop->folder, path);
    bool is_done = dama_file_exists(path);
    dama_comm_broadcast(&is_done, sizeof is_done);
    if (is_done) {
        return DAMA_OK;
    }
    size_t window = (size_t)loop->config->window;
    char(*paths)[DAMA_TRAIN_PATH_SIZE] = calloc(window, sizeof *paths);
    const char **folders = calloc(window, sizeof *folders);
    enum dama_status status =
        paths && folders
            ? DAMA_OK
            : dama_fail(err, DAMA_MEMORY, "no memory for %lu folders", (unsigned long long)window);
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK) {
        int count = list_window(loop, generation, folders, paths);
        status = fit(loop, generation, folders, count, err);
    }
    free(paths);
    free(folders);
    return status;
}

/* What tune.json says of the fit, read back by rank 0: a resumed training has no other source.
   Without held-out games the rows fitted on stand for them. */
static enum dama_status read_losses(const struct loop *loop, struct dama_error *err)
{
    struct dama_train_generation *last = &loop->out->last;
    char path[DAMA_TRAIN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/tune.json", loop->folder);
    json_error_t where;
    json_t *file = json_load_file(path, 0, &where);
    json_t *losses = json_object_get(file, "log_loss");
    json_t *held = json_object_get(losses, "held_out");
    last->is_held_out = json_is_object(held);
    held = last->is_held_out ? held : json_object_get(losses, "train");
    if (!file || json_unpack_ex(held, &where, 0, "{s:F,s:F}", "constant", &last->constant_loss,
                                "rounded", &last->loss) != 0) {
        json_decref(file);
        return dama_fail(err, DAMA_CORRUPT, "%s: line %d: %s", path, where.line, where.text);
    }
    json_decref(file);
    return DAMA_OK;
}

/* The table of this generation, read back by rank 0 for all. */
static enum dama_status load_table(const struct loop *loop, struct dama_weights *out,
                                   struct dama_error *err)
{
    char path[DAMA_TRAIN_PATH_SIZE];
    table_path(loop->folder, path);
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? dama_weights_load(path, loop->ruleset, out, err) : DAMA_OK,
                             err));
    dama_comm_broadcast(out, sizeof *out);
    return DAMA_OK;
}

/* A promotion without a decision of the test says so. */
static const char *verdict_text(const struct dama_train_generation *generation)
{
    if (!generation->is_promoted) {
        return "not promoted";
    }
    return generation->match.sprt == DAMA_SPRT_H1
               ? "promoted"
               : "promoted undecided (the pairs ran out with a likelihood ratio above 0)";
}

static enum dama_status judge(struct loop *loop, int generation, struct dama_error *err)
{
    struct dama_weights challenger;
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(load_table(loop, &challenger, err));
    DAMA_TRY(dama_comm_agree(is_first ? read_losses(loop, err) : DAMA_OK, err));
    char path[DAMA_TRAIN_PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/match.json", loop->folder);
    struct dama_train_generation *last = &loop->out->last;
    struct dama_train_match match = {
        .setup = loop->setup,
        .challenger = &challenger,
        .holder = &loop->out->weights,
        .path = path,
        .seed = (uint64_t)(loop->config->seed + generation),
        .is_promotion = true,
    };
    DAMA_TRY(dama_train_match_play(&match, &last->match, &last->is_promoted, err));
    const struct dama_match_result *r = &last->match;
    dama_log_info("gen-%03d: log-loss %.5f%s, constant predictor %.5f", generation, last->loss,
                  last->is_held_out ? " held out" : "", last->constant_loss);
    dama_log_info("gen-%03d: %s: +%llu =%llu -%llu, Elo %+.1f [%+.1f, %+.1f]", generation,
                  verdict_text(last), (unsigned long long)r->wdl.wins,
                  (unsigned long long)r->wdl.draws, (unsigned long long)r->wdl.losses, r->elo.elo,
                  r->elo.low, r->elo.high);
    if (last->is_promoted) {
        loop->out->weights = challenger;
        loop->out->best = generation;
        table_path(loop->folder, loop->out->table);
    }
    last->number = generation;
    loop->out->generations = generation + 1;
    return DAMA_OK;
}

/* The verdict on the whole training: its best table against the one it started from. */
static enum dama_status judge_whole(struct loop *loop, struct dama_error *err)
{
    char path[DAMA_TRAIN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/final.json", loop->setup->run);
    struct dama_train_match match = {
        .setup = loop->setup,
        .challenger = &loop->out->weights,
        .holder = &loop->setup->inputs->weights,
        .path = path,
        .seed = (uint64_t)(loop->config->seed + FINAL_SEED),
    };
    bool is_promoted;
    return dama_train_match_play(&match, &loop->out->final, &is_promoted, err);
}

/* FOLDER/report.html, by rank 0. A report is for reading: that there is none never ends a training.
 */
static void report(struct loop *loop, const char *folder)
{
    char path[DAMA_TRAIN_PATH_SIZE];
    struct dama_error why = {0};
    if (dama_comm_rank() != 0 || loop->has_no_gnuplot) {
        return;
    }
    snprintf(path, sizeof path, "%s/report.html", folder);
    enum dama_status status = dama_report_write(folder, path, &why);
    loop->has_no_gnuplot = status == DAMA_UNSUPPORTED;
    if (status != DAMA_OK) {
        dama_log_warn("no report: %s", why.text);
    }
}

/* Self-play, tune, match and report of one generation, as far as its files do not show them yet. */
static enum dama_status train_generation(struct loop *loop, int generation, struct dama_error *err)
{
    char path[DAMA_TRAIN_PATH_SIZE];
    generation_folder(loop, generation, loop->folder);
    snprintf(path, sizeof path, "%s/report.html", loop->folder);
    bool is_reported = dama_file_exists(path);
    DAMA_TRY(play_unless_spent(loop, generation, err));
    DAMA_TRY(tune(loop, generation, err));
    DAMA_TRY(judge(loop, generation, err));
    if (!is_reported) {
        report(loop, loop->folder);
    }
    return DAMA_OK;
}

/* Rank 0: the last word of status.json. Its last writer was a stage, which has said "running" when
   it was done, and how it ended when it was not. */
static enum dama_status end_status(const struct loop *loop, enum dama_status status,
                                   struct dama_error *err)
{
    char path[DAMA_TRAIN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/status.json", loop->setup->run);
    if (status != DAMA_OK && !dama_status_has_state(path, "running")) {
        return DAMA_OK;
    }
    struct dama_progress *progress =
        dama_progress_new(path, "train", "generations", (double)loop->config->generations);
    if (!progress) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the status");
    }
    dama_progress_update(progress, (double)loop->out->generations, NULL);
    dama_progress_end(progress,
                      status == DAMA_OK        ? "done"
                      : status == DAMA_STOPPED ? "stopped"
                                               : "failed",
                      status != DAMA_OK      ? "the same command goes on"
                      : loop->out->best >= 0 ? "dama weights show TABLE"
                                             : "more games");
    return DAMA_OK;
}

static enum dama_status prepare(struct loop *loop, struct dama_error *err)
{
    char request[DAMA_REQUEST_SIZE];
    dama_request_format_training(loop->ruleset, &loop->setup->inputs->weights, loop->config,
                                 request);
    return dama_request_store(loop->setup->run, request, err);
}

static enum dama_status train_all(struct loop *loop, struct dama_error *err)
{
    for (int g = 0; g < loop->config->generations; g++) {
        DAMA_TRY(train_generation(loop, g, err));
    }
    if (loop->out->best >= 0) {
        DAMA_TRY(judge_whole(loop, err));
    }
    report(loop, loop->setup->run);
    return DAMA_OK;
}

enum dama_status dama_train_run(const struct dama_train_setup *setup, struct dama_train_result *out,
                                struct dama_error *err)
{
    struct loop loop = {
        .setup = setup,
        .ruleset = &setup->inputs->ruleset,
        .config = &setup->inputs->config,
        .out = out,
    };
    *out = (struct dama_train_result){.best = -1, .weights = setup->inputs->weights};
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? prepare(&loop, err) : DAMA_OK, err));
    enum dama_status status = train_all(&loop, err);
    if (status != DAMA_OK) {
        struct dama_error unsaid;
        if (is_first) {
            end_status(&loop, status, &unsaid);
        }
        return status;
    }
    return dama_comm_agree(is_first ? end_status(&loop, status, err) : DAMA_OK, err);
}
