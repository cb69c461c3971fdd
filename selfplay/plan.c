/* The estimate behind `selfplay --plan`: a few games of the very run, played and thrown away. */
#include "selfplay/selfplay.h"

#include <omp.h>

#include "engine/cli/clock.h"

enum { SAMPLES_PER_THREAD = 4 };
/* Two sizes of block each, 120 games of 100 nodes: a row takes 4.3 bytes (American) to 5.9
   (International), a shard 27.6 KB more whatever is in it. */
static const double bytes_per_row = 5.0;
static const double bytes_per_shard = 27600;

struct sample {
    const struct dama_recorder *recorder;
    int64_t first_game;
    int games;
};

/* Plays every `step`-th sample game from `first` on one thread; returns rows. */
static uint64_t play_samples(const struct sample *sample, int first, int step,
                             struct dama_error *err)
{
    struct dama_shard shard = {0};
    uint64_t rows = 0;
    struct dama_record_player *player = dama_record_player_new(sample->recorder, err);
    for (int g = first; player && err->status == DAMA_OK && g < sample->games; g += step) {
        dama_record_game(player, (uint64_t)(sample->first_game + g), NULL, NULL, &shard, err);
        rows += shard.rows;
    }
    dama_shard_free(&shard);
    dama_record_player_free(player);
    return rows;
}

enum dama_status dama_selfplay_plan(const struct dama_selfplay_setup *setup,
                                    struct dama_selfplay_estimate *out, struct dama_error *err)
{
    struct dama_opening_book *book =
        dama_opening_book_new(&setup->ruleset->rules, (int)setup->config->random_plies, err);
    if (!book) {
        return err->status;
    }
    struct dama_recorder recorder = {setup->ruleset, setup->weights, setup->config, book};
    int64_t wanted = (int64_t)setup->threads * SAMPLES_PER_THREAD;
    struct sample sample = {
        .recorder = &recorder,
        .first_game = setup->plan.first_game,
        .games = (int)(wanted < setup->plan.games ? wanted : setup->plan.games),
    };
    double begin = dama_clock();
    uint64_t rows = 0;
#pragma omp parallel num_threads(setup->threads) reduction(+ : rows)
    {
        struct dama_error error = {0};
        rows += play_samples(&sample, omp_get_thread_num(), omp_get_num_threads(), &error);
#pragma omp critical
        if (error.status != DAMA_OK && err->status == DAMA_OK) {
            *err = error;
        }
    }
    double seconds = dama_clock() - begin;
    dama_opening_book_free(book);
    if (err->status != DAMA_OK) {
        return err->status;
    }
    out->sample_games = (uint64_t)sample.games;
    out->games_per_second = sample.games / seconds;
    out->rows_per_game = (double)rows / sample.games;
    out->seconds = (double)setup->plan.games / out->games_per_second;
    out->bytes = (double)setup->plan.games * out->rows_per_game * bytes_per_row +
                 (double)dama_block_count(&setup->plan) * bytes_per_shard;
    return DAMA_OK;
}
