/* The loop of both programs: finds the verb and runs it. */
#include "engine/cli/verb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/cli/suggest.h"
#include "engine/signature.h"

enum { STEP_WIDTH = 50 };

/* Of the process, set before a verb runs. running is what a hint of wrong use names: "weights
 * show". */
static bool is_silent;
static char running[48];

const struct dama_verb *dama_verb_find(const struct dama_verb *const lists[], const char *name)
{
    for (int i = 0; lists[i]; i++) {
        for (const struct dama_verb *verb = lists[i]; verb->name; verb++) {
            if (strcmp(verb->name, name) == 0) {
                return verb;
            }
        }
    }
    return NULL;
}

static void print_verbs(const struct dama_verb *const lists[])
{
    for (int i = 0; lists[i]; i++) {
        for (const struct dama_verb *verb = lists[i]; verb->name; verb++) {
            if (dama_verb_find(lists, verb->name) == verb) {
                printf("  %-10s %s\n", verb->name, verb->summary);
            }
        }
    }
}

static void print_help(const char *program, const struct dama_verb *const lists[])
{
    printf("Usage: %s VERB [OPTION...] [ARGUMENT...]\n"
           "Draughts by thirteen built-in rule sets, or by rules files.\n\n",
           program);
    print_verbs(lists);
    printf("\n  --help     this list; %s VERB --help tells the options of a verb\n"
           "  --version  version and build\n\n"
           "Exit status: 0 done, 1 failed, 2 wrong use, 75 stopped and resumable.\n",
           program);
}

/* A first word for who has typed the program's name alone. */
static void print_first_steps(const char *program, const struct dama_verb *const lists[])
{
    static const struct {
        const char *verb, *arguments, *meaning;
    } steps[] = {
        {"--help", "", "the verbs"},
        {"VERB", "--help", "the options of a verb"},
        {"play", "--variant american --level easy", "a game in this terminal"},
        {"doctor", "", "whether this machine is ready"},
        {"train", "american --out runs/american", "a weight table by self-play"},
    };
    fprintf(stderr, "Usage: %s VERB [OPTION...] [ARGUMENT...]\n\n", program);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        bool is_of_all = i < 2;
        if (is_of_all || dama_verb_find(lists, steps[i].verb)) {
            int length = fprintf(stderr, "  %s %s %s", program, steps[i].verb, steps[i].arguments);
            fprintf(stderr, "%*s  %s\n", STEP_WIDTH - length, "", steps[i].meaning);
        }
    }
}

/* program is what the hint names: "dama", or "dama weights" for a sub-verb. */
static int unknown_verb(const char *program, const struct dama_verb *const lists[],
                        const char *name)
{
    struct dama_suggestion nearest = {.word = name};
    for (int i = 0; lists[i]; i++) {
        for (const struct dama_verb *verb = lists[i]; verb->name; verb++) {
            dama_suggest(&nearest, verb->name);
        }
    }
    const char *what = *name == '-' ? "option" : "verb";
    if (is_silent) {
        return DAMA_EXIT_USAGE;
    }
    if (nearest.best) {
        fprintf(stderr, "dama: unknown %s '%s', the nearest is '%s' (see %s --help)\n", what, name,
                nearest.best, program);
    } else {
        fprintf(stderr, "dama: unknown %s '%s' (see %s --help)\n", what, name, program);
    }
    return DAMA_EXIT_USAGE;
}

int dama_sub_verbs_run(const char *verb, const struct dama_verb *list, int argc, char **argv)
{
    const struct dama_verb *const lists[] = {list, NULL};
    char program[64];
    snprintf(program, sizeof program, "%s %s", program_invocation_short_name, verb);
    if (argc < 2) {
        fprintf(stderr, "dama: expected a verb of %s (see %s --help)\n", verb, program);
        return DAMA_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        printf("Usage: %s VERB [OPTION...] [ARGUMENT...]\n\n", program);
        print_verbs(lists);
        printf("\n  --help     this list; %s VERB --help tells the options of a verb\n", program);
        return DAMA_EXIT_DONE;
    }
    const struct dama_verb *found = dama_verb_find(lists, argv[1]);
    if (!found) {
        return unknown_verb(program, lists, argv[1]);
    }
    snprintf(running, sizeof running, "%s %s", verb, found->name);
    return found->run(argc - 1, argv + 1);
}

/* What was printed counts as done only when it has arrived: a full disk is a failure. */
static int finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "dama: cannot write to standard output\n");
        return status == DAMA_EXIT_DONE ? DAMA_EXIT_FAILED : status;
    }
    return status;
}

int dama_program_run(const char *program, const struct dama_verb *const lists[],
                     const char *extra_version, int argc, char **argv)
{
    if (argc < 2) {
        print_first_steps(program, lists);
        return DAMA_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_help(program, lists);
        return finish(DAMA_EXIT_DONE);
    }
    bool has_version = argc == 3 && strcmp(argv[2], "--version") == 0;
    if (has_version || strcmp(argv[1], "--version") == 0) {
        printf("%s %s\nbench %08x\nbuild %s, %s\n%s", program, DAMA_PROGRAM_VERSION,
               DAMA_ENGINE_SIGNATURE, DAMA_BUILD_TYPE, __VERSION__, extra_version);
        return finish(DAMA_EXIT_DONE);
    }
    const struct dama_verb *verb = dama_verb_find(lists, argv[1]);
    if (!verb) {
        return unknown_verb(program, lists, argv[1]);
    }
    snprintf(running, sizeof running, "%s", verb->name);
    return finish(verb->run(argc - 1, argv + 1));
}

const char *dama_program_version(void)
{
    return DAMA_PROGRAM_VERSION;
}

void dama_verb_silence(void)
{
    is_silent = true;
}

bool dama_verb_is_silent(void)
{
    return is_silent;
}

int dama_verb_fail(const struct dama_error *err)
{
    if (!is_silent) {
        fprintf(stderr, "dama: %s", err->text);
        if (err->status == DAMA_USAGE) {
            fprintf(stderr, " (see %s %s%s--help)", program_invocation_short_name, running,
                    *running ? " " : "");
        }
        fputc('\n', stderr);
    }
    switch (err->status) {
    case DAMA_USAGE:
        return DAMA_EXIT_USAGE;
    case DAMA_STOPPED:
        return DAMA_EXIT_STOPPED;
    default:
        return DAMA_EXIT_FAILED;
    }
}
