/* The log for machines: every line is JSON, whatever bytes a file's name has. */
#include "cluster/log.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/cli/temporary.h"
#include "support.h"

enum { PATH_SIZE = 256, LINE_SIZE = 4096 };

static int setup(void **state)
{
    char *folder = malloc(PATH_SIZE);
    assert_non_null(folder);
    assert_true(dama_temporary_name("/tmp", "dama-log", "", folder, PATH_SIZE));
    assert_non_null(mkdtemp(folder));
    *state = folder;
    return 0;
}

static int teardown(void **state)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/log.jsonl", (char *)*state);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(*state), 0);
    free(*state);
    return 0;
}

static void every_line_is_json(void **state)
{
    static const struct {
        const char *text;
        const char *kept;
    } cases[] = {
        {"plain \"quoted\" \\ \n", "plain \"quoted\" \\ \n"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"caf\xe9.h5: damaged", "caf\xef\xbf\xbd.h5: damaged"},
    };
    char path[PATH_SIZE], line[LINE_SIZE];
    snprintf(path, sizeof path, "%s/log.jsonl", (char *)*state);
    dama_log_open(path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dama_log_note("test", "%s", cases[i].text);
    }
    dama_log_close();
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, "\"event\":\"command\""));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        json_t *json = json_loads(line, 0, NULL);
        assert_non_null(json);
        assert_string_equal(json_string_value(json_object_get(json, "text")), cases[i].kept);
        assert_string_equal(json_string_value(json_object_get(json, "event")), "test");
        assert_int_equal(json_integer_value(json_object_get(json, "process")), getpid());
        assert_true(json_real_value(json_object_get(json, "time")) > 1e9);
        json_decref(json);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

/* Of a folder whose name is no text too. */
static void the_last_command_is_told(void **state)
{
    char path[PATH_SIZE], odd[PATH_SIZE], before[LINE_SIZE], command[LINE_SIZE];
    snprintf(path, sizeof path, "%s/log.jsonl", (char *)*state);
    snprintf(odd, sizeof odd, "%s/caf\xe9", (char *)*state);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(mkdir(odd, 0777), 0);
    dama_log_open(path);
    assert_int_equal(chdir(odd), 0);
    dama_log_open(path);
    dama_log_close();
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(odd), 0);
    assert_true(dama_log_command(*state, command, sizeof command));
    snprintf(before, sizeof before, "cd '%s/caf'\"$(printf '\\351')\"'' && ", (char *)*state);
    assert_memory_equal(command, before, strlen(before));
    assert_non_null(strstr(command, "test_log"));
    assert_false(dama_log_command("/nowhere", command, sizeof command));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_line_is_json, setup, teardown),
        cmocka_unit_test_setup_teardown(the_last_command_is_told, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
