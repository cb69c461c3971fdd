/* Walks over a run: which files they tell of, in which order, and what is no run. */
#include "cluster/run_shards.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster/run_folder.h"
#include "engine/cli/temporary.h"
#include "engine/cli/options.h"

enum { TOLD_SIZE = 4096 };

/* A folder of its own, and what a walk over it told. */
struct fixture {
    char folder[32];
    char told[TOLD_SIZE];
    struct dama_error err;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    assert_non_null(f);
    assert_true(dama_temporary_name("/tmp", "dama-walk", "", f->folder, sizeof f->folder));
    return mkdtemp(f->folder) ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    int status = system(command);
    free(f);
    return status;
}

static void make(struct fixture *f, const char *folder, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", f->folder, folder);
    assert_int_equal(dama_folder_make(path, &f->err), DAMA_OK);
    if (name) {
        strcat(strcat(path, "/"), name);
        assert_int_equal(dama_file_write(path, "x", 1, &f->err), DAMA_OK);
    }
}

/* Adds the path behind the folder's name, and a blank. */
static enum dama_status tell(void *context, const char *path, struct dama_error *err)
{
    struct fixture *f = context;
    (void)err;
    strcat(strcat(f->told, path + strlen(f->folder)), " ");
    return DAMA_OK;
}

static enum dama_status refuse(void *context, const char *path, struct dama_error *err)
{
    tell(context, path, err);
    return dama_fail(err, DAMA_CORRUPT, "enough");
}

static void make_training(struct fixture *f)
{
    make(f, "gen-000/shards", "american-1000000.h5");
    make(f, "gen-000/shards", "american-999999.h5");
    make(f, "gen-000/shards", "american-000003.h5.part");
    make(f, "gen-001", "weights.dama");
    make(f, "gen-002/shards", "american-000002.h5");
    make(f, "other/shards", "american-000004.h5");
}

static void shards_come_by_generation_and_number(void **state)
{
    struct fixture *f = *state;
    make_training(f);
    assert_int_equal(dama_run_shards(f->folder, ".h5", tell, f, &f->err), DAMA_OK);
    assert_string_equal(f->told, "/gen-000/shards/american-999999.h5 "
                                 "/gen-000/shards/american-1000000.h5 "
                                 "/gen-002/shards/american-000002.h5 ");
}

static void files_of_a_run_are_not_those_of_its_shards(void **state)
{
    struct fixture *f = *state;
    make_training(f);
    make(f, ".", "status.json.part");
    make(f, "gen-001", "tune.json.part");
    assert_int_equal(dama_run_files(f->folder, ".part", tell, f, &f->err), DAMA_OK);
    assert_string_equal(f->told, "/./status.json.part /gen-001/./tune.json.part ");
}

static void a_failing_visit_ends_the_walk(void **state)
{
    struct fixture *f = *state;
    make_training(f);
    assert_int_equal(dama_run_shards(f->folder, ".h5", refuse, f, &f->err), DAMA_CORRUPT);
    assert_string_equal(f->told, "/gen-000/shards/american-999999.h5 ");
    assert_string_equal(f->err.text, "enough");
}

static void folders_of_a_run_are_itself_or_its_generations(void **state)
{
    struct fixture *f = *state;
    make_training(f);
    assert_int_equal(dama_run_folders(f->folder, tell, f, &f->err), DAMA_OK);
    assert_string_equal(f->told, "/gen-000 /gen-001 /gen-002 ");
    make(f, "shards", NULL);
    f->told[0] = 0;
    assert_int_equal(dama_run_folders(f->folder, tell, f, &f->err), DAMA_OK);
    assert_string_equal(f->told, " ");
}

static void what_is_no_run_is_refused(void **state)
{
    struct fixture *f = *state;
    char nowhere[PATH_MAX];
    snprintf(nowhere, sizeof nowhere, "%s/nowhere", f->folder);
    assert_int_equal(dama_run_folders(f->folder, tell, f, &f->err), DAMA_INVALID);
    assert_int_equal(dama_run_folders(nowhere, tell, f, NULL), DAMA_IO);
    assert_int_equal(dama_run_shards(nowhere, ".h5", tell, f, NULL), DAMA_IO);
    assert_int_equal(dama_folder_shards(f->folder, tell, f, NULL), DAMA_IO);
    assert_string_equal(f->told, "");
    /* A training that has not begun a generation, and a run without a block. */
    make(f, ".", "run.conf");
    assert_int_equal(dama_run_folders(f->folder, tell, f, NULL), DAMA_OK);
    assert_int_equal(dama_run_shards(f->folder, ".h5", tell, f, NULL), DAMA_OK);
    assert_string_equal(f->told, "");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(shards_come_by_generation_and_number),
        CASE(files_of_a_run_are_not_those_of_its_shards),
        CASE(a_failing_visit_ends_the_walk),
        CASE(folders_of_a_run_are_itself_or_its_generations),
        CASE(what_is_no_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
