/* What rank 0 says of a run in progress: counts, duplicates, slow ranks, metrics. */
#include "selfplay/rank_progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/prometheus.h"

enum { BLOCK_GAMES = 4 };

static const struct dama_worker workers[] = {{"a", 2}, {"b", 2}, {"c", 1}};

static struct dama_rank_progress *make(void)
{
    struct dama_error err = {0};
    struct dama_rank_progress *progress = dama_rank_progress_new(workers, 3, BLOCK_GAMES, &err);
    assert_non_null(progress);
    return progress;
}

/* A block of four games whose identities begin at `first`. */
static void add(struct dama_rank_progress *progress, int rank, uint64_t first)
{
    struct dama_block_result *block = calloc(1, dama_block_result_size(BLOCK_GAMES));
    assert_non_null(block);
    block->games = BLOCK_GAMES;
    block->rows = 100;
    block->bytes = 1000;
    block->results[0] = 1;
    block->results[2] = 3;
    for (uint64_t i = 0; i < BLOCK_GAMES; i++) {
        block->identity[i].game = first + i;
    }
    assert_int_equal(dama_rank_progress_add(progress, rank, block, NULL), DAMA_OK);
    free(block);
}

static void status_counts_blocks_found_and_played(void **state)
{
    (void)state;
    struct dama_rank_progress *progress = make();
    add(progress, -1, 10);
    add(progress, 1, 20);
    /* Games 22 and 23 again; identity 0 is one like any other. */
    add(progress, 1, 22);
    add(progress, 2, 0);
    assert_string_equal(
        dama_rank_progress_format(progress, 2),
        "\"results\":{\"white\":12,\"draw\":0,\"black\":4},\"duplicates\":2,"
        "\"stored\":{\"shards\":4,\"positions\":400,\"bytes\":4000},\"ranks\":["
        "{\"rank\":0,\"host\":\"a\",\"threads\":2,\"games\":0,\"rate\":0},"
        "{\"rank\":1,\"host\":\"b\",\"threads\":2,\"games\":8,\"rate\":4},"
        "{\"rank\":2,\"host\":\"c\",\"threads\":1,\"games\":4,\"rate\":2}],\"slow\":[]");
    dama_rank_progress_free(progress);
}

/* By games a thread, with the block in hand counted in its favour. */
static void rank_below_half_of_the_median_is_slow(void **state)
{
    (void)state;
    struct dama_rank_progress *progress = make();
    for (uint64_t i = 0; i < 20; i++) {
        add(progress, 0, 1000 * i);
        add(progress, 2, 1000 * i + 100);
        if (i < 8) {
            add(progress, 1, 1000 * i + 200);
        }
    }
    /* 80, 32 and 80 games on 2, 2 and 1 threads: 40, 16 and 80 a thread; the median is 40. */
    assert_non_null(strstr(dama_rank_progress_format(progress, 1), "\"slow\":[1]"));
    add(progress, 1, 100000);
    assert_non_null(strstr(dama_rank_progress_format(progress, 1), "\"slow\":[]"));
    dama_rank_progress_free(progress);
}

/* Five blocks of each thread in a hundred seconds; after an hour rank 1 has a fifth of its speed.
 */
static void rank_that_grows_slow_after_a_while_is_named(void **state)
{
    (void)state;
    struct dama_rank_progress *progress = make();
    const char *text = "";
    uint64_t identity = 1;
    for (int round = 0; round < 72; round++) {
        bool is_slow = round >= 36;
        for (int rank = 0; rank < 3; rank++) {
            int blocks = 5 * workers[rank].threads;
            for (int i = 0; i < (is_slow && rank == 1 ? blocks / 5 : blocks); i++) {
                add(progress, rank, identity += BLOCK_GAMES);
            }
        }
        text = dama_rank_progress_format(progress, 100 * (round + 1));
        if (!is_slow) {
            assert_non_null(strstr(text, "\"slow\":[]"));
        }
    }
    /* In all 36 * 40 + 36 * 8 of 72 * 40 games: more than half. */
    assert_non_null(strstr(text, "\"rank\":1,\"host\":\"b\",\"threads\":2,\"games\":1728,"));
    assert_non_null(strstr(text, "\"slow\":[1]"));
    dama_rank_progress_free(progress);
}

static void many_games_are_told_apart(void **state)
{
    (void)state;
    struct dama_rank_progress *progress = make();
    for (uint64_t i = 0; i < 5000; i++) {
        add(progress, 0, i * UINT64_C(0x9e3779b97f4a7c15));
    }
    add(progress, 0, 0);
    assert_non_null(strstr(dama_rank_progress_format(progress, 1), "\"duplicates\":4,"));
    dama_rank_progress_free(progress);
}

static void metrics_say_what_the_status_says(void **state)
{
    (void)state;
    char *text = dama_prometheus_format(
        "{\"stage\":\"selfplay\",\"state\":\"running\",\"unit\":\"games\",\"done\":3,\"rate\":1.5,"
        "\"eta_s\":-1,\"results\":{\"white\":2,\"draw\":1},\"duplicates\":1,"
        "\"stored\":{\"bytes\":70},\"ranks\":[{\"rank\":0,\"host\":\"a\",\"games\":3,"
        "\"rate\":1.5}],\"slow\":[0]}",
        "/r", 1234567890);
    assert_string_equal(
        text, "# HELP dama_progress_done Units of work that are done.\n"
              "# TYPE dama_progress_done gauge\n"
              "dama_progress_done{run=\"/r\",stage=\"selfplay\",unit=\"games\"} 3\n"
              "# HELP dama_progress_per_second Units a second since the start.\n"
              "# TYPE dama_progress_per_second gauge\n"
              "dama_progress_per_second{run=\"/r\",stage=\"selfplay\",unit=\"games\"} 1.5\n"
              "# HELP dama_state 1 for what the work is: running, done, stopped or failed.\n"
              "# TYPE dama_state gauge\n"
              "dama_state{run=\"/r\",stage=\"selfplay\",state=\"running\"} 1\n"
              "dama_state{run=\"/r\",stage=\"selfplay\",state=\"done\"} 0\n"
              "dama_state{run=\"/r\",stage=\"selfplay\",state=\"stopped\"} 0\n"
              "dama_state{run=\"/r\",stage=\"selfplay\",state=\"failed\"} 0\n"
              "# HELP dama_updated_timestamp_seconds When these metrics were written.\n"
              "# TYPE dama_updated_timestamp_seconds gauge\n"
              "dama_updated_timestamp_seconds{run=\"/r\"} 1234567890\n"
              "# HELP dama_duplicate_games_total Finished games that another one equals.\n"
              "# TYPE dama_duplicate_games_total counter\n"
              "dama_duplicate_games_total{run=\"/r\"} 1\n"
              "# HELP dama_stored_bytes Bytes of the shards.\n"
              "# TYPE dama_stored_bytes gauge\n"
              "dama_stored_bytes{run=\"/r\"} 70\n"
              "# HELP dama_games_total Finished games by result.\n"
              "# TYPE dama_games_total counter\n"
              "dama_games_total{run=\"/r\",result=\"white\"} 2\n"
              "dama_games_total{run=\"/r\",result=\"draw\"} 1\n"
              "# HELP dama_rank_games_total Games that the rank has played.\n"
              "# TYPE dama_rank_games_total counter\n"
              "dama_rank_games_total{run=\"/r\",rank=\"0\",host=\"a\"} 3\n"
              "# HELP dama_rank_games_per_second Games a second of the rank.\n"
              "# TYPE dama_rank_games_per_second gauge\n"
              "dama_rank_games_per_second{run=\"/r\",rank=\"0\",host=\"a\"} 1.5\n"
              "# HELP dama_rank_slow 1 when the rank plays less than half of the median.\n"
              "# TYPE dama_rank_slow gauge\n"
              "dama_rank_slow{run=\"/r\",rank=\"0\",host=\"a\"} 1\n");
    free(text);
    assert_null(dama_prometheus_format("[1]", "/r", 0));
    assert_null(dama_prometheus_format("no JSON", "/r", 0));
}

static void label_values_are_escaped(void **state)
{
    (void)state;
    char *text = dama_prometheus_format("{\"disk_free\":5}", "a\"b\\c\nd\xe9\xc3\xa9", 0);
    assert_non_null(text);
    assert_non_null(
        strstr(text, "\ndama_disk_free_bytes{run=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\xc3\xa9\"} 5\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_counts_blocks_found_and_played),
        cmocka_unit_test(rank_below_half_of_the_median_is_slow),
        cmocka_unit_test(rank_that_grows_slow_after_a_while_is_named),
        cmocka_unit_test(many_games_are_told_apart),
        cmocka_unit_test(metrics_say_what_the_status_says),
        cmocka_unit_test(label_values_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
