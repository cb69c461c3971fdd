/* The run's folder: one run at a time, lines that arrive whole, status that is always readable. */
#include "cluster/run_folder.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/cli/options.h"
#include "engine/cli/temporary.h"
#include "support.h"

enum { PATH_SIZE = 256 };

static int setup(void **state)
{
    char *folder = malloc(PATH_SIZE);
    assert_non_null(folder);
    assert_true(dama_temporary_name("/tmp", "dama-folder", "", folder, PATH_SIZE));
    assert_non_null(mkdtemp(folder));
    *state = folder;
    return 0;
}

static int teardown(void **state)
{
    char command[PATH_SIZE];
    snprintf(command, sizeof command, "rm -r '%s'", (char *)*state);
    assert_int_equal(system(command), 0);
    free(*state);
    return 0;
}

static void path_in(char out[PATH_SIZE], const char *folder, const char *name)
{
    snprintf(out, PATH_SIZE, "%s/%s", folder, name);
}

/* Runs try_lock in another process and returns what it exits with. */
static int in_child(int (*body)(const char *run), const char *run)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(body(run));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int lock_and_compare(const char *run)
{
    char host[128] = "";
    char expected[320];
    struct dama_error err = {0};
    gethostname(host, sizeof host - 1);
    snprintf(expected, sizeof expected,
             "%s: another process works on this run: host %.63s process %ld", run, host,
             (long)getppid());
    if (!dama_run_is_locked(run) || dama_run_lock(run, &err) != DAMA_BUSY) {
        return 1;
    }
    return strcmp(err.text, expected) ? 2 : 0;
}

static int lock_alone(const char *run)
{
    return dama_run_is_locked(run) || dama_run_lock(run, NULL) != DAMA_OK;
}

static void second_process_is_refused_with_the_holder(void **state)
{
    char run[PATH_SIZE];
    path_in(run, *state, "a/run");
    assert_int_equal(dama_run_lock(run, NULL), DAMA_OK);
    assert_int_equal(in_child(lock_and_compare, run), 0);
    /* Being refused has not taken the lock away. */
    assert_int_equal(in_child(lock_and_compare, run), 0);
    dama_run_unlock();
    assert_int_equal(in_child(lock_alone, run), 0);
    /* The file stays behind the child's death, its lock does not. */
    assert_int_equal(in_child(lock_alone, run), 0);
}

static void folder_is_made_with_its_parents(void **state)
{
    char path[PATH_SIZE];
    struct stat info;
    path_in(path, *state, "x/y//z/");
    assert_int_equal(dama_folder_make(path, NULL), DAMA_OK);
    assert_int_equal(dama_folder_make(path, NULL), DAMA_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISDIR(info.st_mode));
}

static void folder_below_a_file_is_refused_with_the_reason(void **state)
{
    char path[PATH_SIZE];
    char below[PATH_SIZE];
    char expected[2 * PATH_SIZE];
    struct dama_error err = {0};
    path_in(path, *state, "file");
    path_in(below, *state, "file/run");
    assert_int_equal(dama_line_append(path, "x", NULL), DAMA_OK);
    assert_int_equal(dama_folder_make(below, &err), DAMA_IO);
    snprintf(expected, sizeof expected, "%s: cannot make the folder: %s", below, strerror(ENOTDIR));
    assert_string_equal(err.text, expected);
    err = (struct dama_error){0};
    assert_int_equal(dama_folder_make(path, &err), DAMA_IO);
    snprintf(expected, sizeof expected, "%s: expected a folder, found something else", path);
    assert_string_equal(err.text, expected);
}

/* Folders of a run, of a match, and of nobody. */
static void a_run_keeps_its_own_files(void **state)
{
    static const char *const own[] = {"run.conf", "player.dama", "log.jsonl", "match.json"};
    static const char *const free_names[] = {"weights.dama", "report.html", "all.h5", "run.confs"};
    char run[PATH_SIZE], path[PATH_SIZE + 16], expected[2 * PATH_SIZE];
    path_in(run, *state, "run");
    assert_int_equal(dama_folder_make(run, NULL), DAMA_OK);
    for (int is_run = 0; is_run <= 1; is_run++) {
        assert_int_equal(dama_folder_is_run(run), is_run);
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
            struct dama_error err = {0};
            snprintf(path, sizeof path, "%s/%s", run, own[i]);
            snprintf(expected, sizeof expected, "%s: a run's own file is not replaced", path);
            assert_int_equal(dama_run_check_target(path, &err), is_run ? DAMA_INVALID : DAMA_OK);
            assert_string_equal(err.text, is_run ? expected : "");
            snprintf(path, sizeof path, "%s/%s", run, free_names[i]);
            assert_int_equal(dama_run_check_target(path, NULL), DAMA_OK);
        }
        snprintf(path, sizeof path, "%s/shards", run);
        assert_int_equal(dama_folder_make(path, NULL), DAMA_OK);
    }
    snprintf(path, sizeof path, "%s/shards/a.h5", run);
    assert_int_equal(dama_run_check_target(path, NULL), DAMA_OK);
    assert_int_equal(dama_line_append(path, "games", NULL), DAMA_OK);
    assert_int_equal(dama_run_check_target(path, NULL), DAMA_INVALID);
    assert_int_equal(chdir(run), 0);
    assert_int_equal(dama_run_check_target("player.dama", NULL), DAMA_INVALID);
    assert_int_equal(chdir("/"), 0);
    snprintf(path, sizeof path, "%s/match", (char *)*state);
    assert_int_equal(dama_folder_make(path, NULL), DAMA_OK);
    snprintf(path, sizeof path, "%s/match/match.conf", (char *)*state);
    assert_int_equal(dama_run_check_target(path, NULL), DAMA_OK);
    assert_int_equal(dama_line_append(path, "pairs = 1", NULL), DAMA_OK);
    assert_int_equal(dama_run_check_target(path, NULL), DAMA_INVALID);
}

static void lines_are_appended_whole(void **state)
{
    char path[PATH_SIZE];
    unsigned char *bytes = NULL;
    size_t size;
    path_in(path, *state, "log.jsonl");
    assert_int_equal(dama_line_append(path, "{\"a\":1}", NULL), DAMA_OK);
    assert_int_equal(dama_line_append(path, "{\"b\":2}", NULL), DAMA_OK);
    assert_int_equal(dama_file_read(path, 1000, &bytes, &size, NULL), DAMA_OK);
    static const char expected[] = "{\"a\":1}\n{\"b\":2}\n";
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    struct dama_error err = {0};
    assert_int_equal(dama_line_append(*state, "x", &err), DAMA_IO);
    assert_non_null(strstr(err.text, strerror(EISDIR)));
}

static int stop_by_signal(const char *signal_text)
{
    dama_stop_install();
    if (dama_stop_requested()) {
        return 1;
    }
    raise(atoi(signal_text));
    return dama_stop_requested() ? 0 : 2;
}

static void signals_ask_for_a_stop(void **state)
{
    (void)state;
    static const int signals[] = {SIGUSR1, SIGTERM, SIGINT};
    for (int i = 0; i < 3; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", signals[i]);
        assert_int_equal(in_child(stop_by_signal, text), 0);
    }
}

static double member(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* Ends the work without a word on stderr; what its status says then. */
static json_t *end_in_silence(struct dama_progress *progress, const char *path, const char *state,
                              const char *next_step)
{
    int kept = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "w", stderr));
    dama_progress_end(progress, state, next_step);
    fflush(stderr);
    assert_int_equal(dup2(kept, STDERR_FILENO), STDERR_FILENO);
    close(kept);
    json_t *status = json_load_file(path, 0, NULL);
    assert_non_null(status);
    return status;
}

static void status_file_tells_progress(void **state)
{
    char path[PATH_SIZE];
    path_in(path, *state, "status.json");
    struct dama_progress *progress = dama_progress_new(path, "selfplay", "games", 200);
    assert_non_null(progress);
    dama_progress_update(progress, 50, "\"results\":{\"wins\":3}");
    json_t *status = json_load_file(path, 0, NULL);
    assert_non_null(status);
    assert_string_equal(json_string_value(json_object_get(status, "stage")), "selfplay");
    assert_string_equal(json_string_value(json_object_get(status, "state")), "running");
    assert_true(member(status, "done") == 50);
    assert_true(member(status, "total") == 200);
    /* What was there at the start is no work of this run: no rate yet. */
    assert_true(member(status, "rate") == 0);
    assert_true(member(status, "eta_s") == -1);
    assert_true(member(json_object_get(status, "results"), "wins") == 3);
    json_decref(status);
    dama_progress_update(progress, 200, NULL);
    status = end_in_silence(progress, path, "done", "dama tune RUN");
    assert_string_equal(json_string_value(json_object_get(status, "state")), "done");
    assert_string_equal(json_string_value(json_object_get(status, "next_step")), "dama tune RUN");
    assert_true(member(status, "done") == 200);
    assert_true(member(status, "rate") > 0);
    assert_true(member(status, "eta_s") == 0);
    assert_true(member(json_object_get(status, "results"), "wins") == 3);
    json_decref(status);
    strcat(path, ".part");
    assert_int_equal(access(path, F_OK), -1);
}

static void what_is_done_again_takes_nothing_from_the_rate(void **state)
{
    char path[PATH_SIZE];
    path_in(path, *state, "again.json");
    struct dama_progress *progress = dama_progress_new(path, "selfplay", "games", 200);
    assert_non_null(progress);
    dama_progress_update(progress, 190, NULL);
    dama_progress_update(progress, 200, NULL);
    dama_progress_update(progress, 20, NULL);
    json_t *status = end_in_silence(progress, path, "stopped", "");
    assert_true(member(status, "done") == 20);
    assert_true(member(status, "rate") > 0);
    assert_true(member(status, "eta_s") >= 0);
    json_decref(status);
}

/* A packet of the socket is one write. */
static void a_line_of_progress_is_one_write(void **state)
{
    (void)state;
    int ends[2];
    char line[PATH_SIZE];
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    struct dama_progress *progress = dama_progress_new(NULL, "selfplay", "games", 200);
    assert_non_null(progress);
    dama_progress_update(progress, 0, NULL);
    dama_progress_update(progress, 200, NULL);
    int kept = dup(STDERR_FILENO);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    dama_progress_end(progress, "done", "");
    assert_int_equal(dup2(kept, STDERR_FILENO), STDERR_FILENO);
    ssize_t length = recv(ends[0], line, sizeof line - 1, MSG_DONTWAIT);
    assert_true(length > 0);
    line[length] = 0;
    assert_non_null(strstr(line, "selfplay: 200 of 200 games (100.0 %), "));
    assert_string_equal(line + length - 6, " left\n");
    assert_int_equal(recv(ends[0], line, sizeof line, MSG_DONTWAIT), -1);
    close(kept);
    close(ends[0]);
    close(ends[1]);
}

/* A line that is cut by a full disk, here by a limit of the size of files, is named with its
 * cause. */
static int append_over_the_limit(const char *path)
{
    struct rlimit limit = {.rlim_cur = 10, .rlim_max = 10};
    struct dama_error err = {0};
    const char *end = ": cannot append: File too large";
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        dama_line_append(path, "more than ten", &err) != DAMA_IO) {
        return 1;
    }
    return strcmp(err.text + strlen(err.text) - strlen(end), end) ? 2 : 0;
}

static void a_cut_line_is_named_with_its_cause(void **state)
{
    char path[PATH_SIZE];
    struct stat info;
    path_in(path, *state, "lines");
    assert_int_equal(in_child(append_over_the_limit, path), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 10);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(second_process_is_refused_with_the_holder),
        CASE(folder_is_made_with_its_parents),
        CASE(folder_below_a_file_is_refused_with_the_reason),
        CASE(a_run_keeps_its_own_files),
        CASE(lines_are_appended_whole),
        CASE(a_cut_line_is_named_with_its_cause),
        CASE(signals_ask_for_a_stop),
        CASE(a_line_of_progress_is_one_write),
        CASE(status_file_tells_progress),
        CASE(what_is_done_again_takes_nothing_from_the_rate),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
