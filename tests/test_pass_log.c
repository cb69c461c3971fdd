/* A fit that goes on behind the passes of an earlier start ends in the same bytes, whatever became
 * of their file. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tuner/tune.h"
#include "tuner_games.h"

enum { PATH_SIZE = 96, HEADER_BYTES = 48, RECORD_BYTES = 40, PASSES_MAX = 100 };

/* A run of random games, an undisturbed fit to it, and the passes that this one has kept. */
struct fixture {
    char folder[64], table[PATH_SIZE], log[PATH_SIZE];
    const char *folders[1];
    struct dama_ruleset ruleset;
    struct dama_tune_setup setup;
    struct dama_tune_result whole;
    unsigned char *kept;
    size_t kept_size;
    size_t end[PASSES_MAX + 1]; /* of the header, then of each record */
    int passes;
};

static void keep(struct fixture *f, const void *bytes, size_t size)
{
    FILE *file = fopen(f->log, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void find_records(struct fixture *f)
{
    f->end[0] = HEADER_BYTES;
    while (f->end[f->passes] < f->kept_size) {
        assert_true(f->passes < PASSES_MAX);
        uint32_t count;
        size_t start = f->end[f->passes];
        memcpy(&count, f->kept + start + DAMA_HASH_SIZE, sizeof count);
        f->end[++f->passes] = start + RECORD_BYTES + count * sizeof(uint64_t);
    }
    assert_int_equal(f->end[f->passes], f->kept_size);
}

static int make(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    make_folder(f->folder);
    assert_int_equal(dama_ruleset_builtin("american", &f->ruleset, NULL), DAMA_OK);
    save_random_run(f->folder, &f->ruleset, 2, 8);
    snprintf(f->table, sizeof f->table, "%s/new.dama", f->folder);
    snprintf(f->log, sizeof f->log, "%s.fit", f->table);
    dama_tune_defaults(&f->setup);
    f->folders[0] = f->folder;
    f->setup.folders = f->folders;
    f->setup.folder_count = 1;
    f->setup.only = "king,centre";
    f->setup.table_path = f->table;
    assert_int_equal(dama_tune_run(&f->setup, &f->whole, NULL), DAMA_OK);
    assert_int_equal(dama_file_read(f->log, 1 << 28, &f->kept, &f->kept_size, NULL), DAMA_OK);
    find_records(f);
    *state = f;
    return 0;
}

static int drop(void **state)
{
    struct fixture *f = *state;
    dama_tune_free(&f->whole);
    remove_folder(f->folder);
    free(f->kept);
    free(f);
    return 0;
}

/* What tune.json and the table are made of. */
static void assert_same_fit(const struct dama_tune_result *a, const struct dama_tune_result *b)
{
    assert_memory_equal(a->fit.columns, b->fit.columns, sizeof a->fit.columns);
    assert_memory_equal(a->fit.error, b->fit.error, sizeof a->fit.error);
    assert_memory_equal(a->fit.table.w, b->fit.table.w, sizeof a->fit.table.w);
    assert_memory_equal(&a->fit.train, &b->fit.train, sizeof a->fit.train);
    assert_memory_equal(&a->fit.held, &b->fit.held, sizeof a->fit.held);
    char *text[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        FILE *out = open_memstream(&text[i], &size[i]);
        dama_tune_print_json(i ? b : a, out);
        assert_int_equal(fclose(out), 0);
    }
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

/* Starts again with these bytes as what is kept: the result and the file are those of the whole. */
static void assert_goes_on(struct fixture *f, const void *bytes, size_t size)
{
    struct dama_tune_result result;
    struct dama_error err = {0};
    unsigned char *kept = NULL;
    size_t kept_size = 0;
    keep(f, bytes, size);
    if (dama_tune_run(&f->setup, &result, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    assert_same_fit(&result, &f->whole);
    dama_tune_free(&result);
    assert_int_equal(dama_file_read(f->log, 1 << 28, &kept, &kept_size, NULL), DAMA_OK);
    assert_int_equal(kept_size, f->kept_size);
    assert_memory_equal(kept, f->kept, kept_size);
    free(kept);
}

/* Slope, Newton's points, covariance, six losses, calibration. */
static void every_pass_is_kept(void **state)
{
    struct fixture *f = *state;
    int points = 0;
    for (int i = 0; i < f->whole.fit.newton.steps; i++) {
        points++;
        assert_true(f->whole.fit.newton.step[i].length == 1 || i == f->whole.fit.newton.steps - 1);
    }
    assert_true(f->passes > 1 + points + 1 + 6 + 1);
}

static void a_fit_goes_on_behind_any_number_of_passes(void **state)
{
    struct fixture *f = *state;
    for (int pass = 0; pass <= f->passes; pass++) {
        assert_goes_on(f, f->kept, f->end[pass]);
    }
}

/* By a kill or a full disk. */
static void a_pass_that_was_cut_short_is_done_again(void **state)
{
    struct fixture *f = *state;
    assert_goes_on(f, f->kept, 0);
    assert_goes_on(f, f->kept, HEADER_BYTES - 1);
    for (int pass = 0; pass < f->passes; pass++) {
        assert_goes_on(f, f->kept, f->end[pass] + RECORD_BYTES);
        assert_goes_on(f, f->kept, f->end[pass + 1] - 1);
    }
}

static void a_flipped_bit_is_found(void **state)
{
    struct fixture *f = *state;
    unsigned char *bytes = malloc(f->kept_size);
    assert_non_null(bytes);
    memcpy(bytes, f->kept, f->kept_size);
    for (int pass = 0; pass < f->passes; pass++) {
        size_t start = f->end[pass];
        const size_t places[] = {start, start + DAMA_HASH_SIZE, (start + f->end[pass + 1]) / 2};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            bytes[places[i]] ^= 0x10;
            assert_goes_on(f, bytes, f->kept_size);
            bytes[places[i]] ^= 0x10;
        }
    }
    free(bytes);
}

/* Passes are known by their question, not by their place alone. */
static void passes_in_another_order_are_not_taken(void **state)
{
    struct fixture *f = *state;
    size_t first = f->end[1] - f->end[0], second = f->end[2] - f->end[1];
    assert_int_equal(first, second); /* both of the slope */
    unsigned char *bytes = malloc(f->kept_size);
    assert_non_null(bytes);
    memcpy(bytes, f->kept, f->kept_size);
    memcpy(bytes + f->end[0], f->kept + f->end[1], second);
    memcpy(bytes + f->end[1], f->kept + f->end[0], first);
    assert_goes_on(f, bytes, f->kept_size);
    free(bytes);
}

/* Each start differs from the one that kept passes in one thing; its result is that of a fit that
   knows of none. */
static void passes_of_other_inputs_are_not_taken(void **state)
{
    struct fixture *f = *state;
    struct dama_weights parent;
    dama_weights_hand_set(&f->ruleset.rules, &parent);
    for (int change = 0; change < 5; change++) {
        struct dama_tune_setup other = f->setup;
        struct dama_tune_result alone, result;
        other.ridge = change == 0 ? 4 : other.ridge;
        other.only = change == 1 ? "king" : other.only;
        other.filter.holdout = change == 2 ? 0.3 : other.filter.holdout;
        other.parent = change == 3 ? &parent : NULL;
        if (change == 4) {
            struct dama_shard shard = {0};
            random_games(&shard, &f->ruleset, 1000, 8, 200);
            save_shard(f->folder, &f->ruleset, 3, &shard);
            dama_shard_free(&shard);
        }
        other.table_path = NULL;
        assert_int_equal(dama_tune_run(&other, &alone, NULL), DAMA_OK);
        other.table_path = f->table;
        keep(f, f->kept, f->kept_size);
        assert_int_equal(dama_tune_run(&other, &result, NULL), DAMA_OK);
        assert_same_fit(&result, &alone);
        dama_tune_free(&alone);
        dama_tune_free(&result);
    }
    char path[128];
    shard_path(f->folder, &f->ruleset, 3, path);
    assert_int_equal(unlink(path), 0);
}

static void threads_may_change_between_starts(void **state)
{
    struct fixture *f = *state;
    f->setup.threads = 3;
    assert_goes_on(f, f->kept, f->end[f->passes / 2]);
    f->setup.threads = 1;
}

static void the_file_goes_when_the_table_is_there(void **state)
{
    struct fixture *f = *state;
    keep(f, f->kept, f->kept_size);
    assert_int_equal(dama_tune_save(&f->whole, f->table, NULL), DAMA_OK);
    assert_int_equal(access(f->log, F_OK), -1);
    assert_int_equal(access(f->table, R_OK), 0);
}

static void a_fit_that_fails_leaves_no_file(void **state)
{
    struct fixture *f = *state;
    struct dama_tune_setup other = f->setup;
    struct dama_tune_result result;
    other.step = 1000;
    assert_int_equal(dama_tune_run(&other, &result, NULL), DAMA_NUMERIC);
    dama_tune_free(&result);
    assert_int_equal(access(f->log, F_OK), -1);
}

/* Locks are a process's, so that the other one has to be one. */
static void a_second_fit_of_a_table_is_refused(void **state)
{
    struct fixture *f = *state;
    struct dama_tune_result result;
    struct dama_error err = {0};
    int ready[2];
    char byte, expected[32];
    keep(f, f->kept, f->kept_size);
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int file = open(f->log, O_RDWR);
        bool is_done = fcntl(file, F_SETLK, &lock) == 0 && write(ready[1], "x", 1) == 1;
        while (is_done) {
            pause();
        }
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(dama_tune_run(&f->setup, &result, &err), DAMA_BUSY);
    dama_tune_free(&result);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ready[0]);
    close(ready[1]);
    snprintf(expected, sizeof expected, "process %d", (int)child);
    assert_non_null(strstr(err.text, expected));
    assert_goes_on(f, f->kept, f->kept_size);
}

/* The fit does without a file then. */
static void a_file_that_no_fit_has_made_stays_as_it_is(void **state)
{
    static const char *const texts[] = {"x", "DamaFitness", "notes on this table, of my own\n"};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct dama_tune_result result;
        unsigned char *bytes = NULL;
        size_t size = 0;
        keep(f, texts[i], strlen(texts[i]));
        assert_int_equal(dama_tune_run(&f->setup, &result, NULL), DAMA_OK);
        assert_same_fit(&result, &f->whole);
        assert_int_equal(dama_tune_save(&result, f->table, NULL), DAMA_OK);
        dama_tune_free(&result);
        assert_int_equal(dama_file_read(f->log, 100, &bytes, &size, NULL), DAMA_OK);
        assert_int_equal(size, strlen(texts[i]));
        assert_memory_equal(bytes, texts[i], size);
        free(bytes);
    }
    assert_int_equal(unlink(f->log), 0);
}

static void without_a_file_the_fit_goes_on(void **state)
{
    struct fixture *f = *state;
    struct dama_tune_setup other = f->setup;
    struct dama_tune_result result;
    other.table_path = "/proc/none/new.dama";
    assert_int_equal(dama_tune_run(&other, &result, NULL), DAMA_OK);
    assert_same_fit(&result, &f->whole);
    dama_tune_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_is_kept),
        cmocka_unit_test(a_fit_goes_on_behind_any_number_of_passes),
        cmocka_unit_test(a_pass_that_was_cut_short_is_done_again),
        cmocka_unit_test(a_flipped_bit_is_found),
        cmocka_unit_test(passes_in_another_order_are_not_taken),
        cmocka_unit_test(passes_of_other_inputs_are_not_taken),
        cmocka_unit_test(threads_may_change_between_starts),
        cmocka_unit_test(the_file_goes_when_the_table_is_there),
        cmocka_unit_test(a_fit_that_fails_leaves_no_file),
        cmocka_unit_test(a_second_fit_of_a_table_is_refused),
        cmocka_unit_test(a_file_that_no_fit_has_made_stays_as_it_is),
        cmocka_unit_test(without_a_file_the_fit_goes_on),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
