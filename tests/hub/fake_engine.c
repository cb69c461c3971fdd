/* An engine that misbehaves on demand: fake_engine MODE [FILE]. It plays the first legal move until
   its third search and then does what MODE says; with FILE only as long as FILE does not exist,
   which it then makes, so that it misbehaves once. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/cli/hub_board.h"
#include "engine/cli/hub_line.h"
#include "engine/cli/lines.h"

enum { GOOD_SEARCHES = 2 };
static const struct timespec late = {.tv_sec = 4};

struct engine {
    const char *mode;
    const char *file;
    struct dama_hub_board board;
    struct dama_game *game;
    int searches;
};

static void say(const char *text)
{
    puts(text);
    fflush(stdout);
}

static _Noreturn void sleep_for_ever(void)
{
    for (;;) {
        pause();
    }
}

/* A child that outlives all but SIGKILL; its number and ours go into FILE. */
static _Noreturn void have_child(const struct engine *engine)
{
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    pid_t child = fork();
    FILE *file = child > 0 ? fopen(engine->file, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %ld\n", (long)getpid(), (long)child);
        fclose(file);
    }
    sleep_for_ever();
}

/* True when the search is to be answered by the mode. */
static bool is_bad(struct engine *engine)
{
    if (++engine->searches <= GOOD_SEARCHES || !strcmp(engine->mode, "good")) {
        return false;
    }
    return !engine->file || !strcmp(engine->mode, "child") ||
           open(engine->file, O_CREAT | O_EXCL | O_WRONLY, 0666) >= 0;
}

static void misbehave(const struct engine *engine)
{
    const char *mode = engine->mode;
    if (!strcmp(mode, "crash")) {
        abort();
    } else if (!strcmp(mode, "exit")) {
        exit(0);
    } else if (!strcmp(mode, "hang")) {
        sleep_for_ever();
    } else if (!strcmp(mode, "illegal")) {
        say("done move=1-50");
    } else if (!strcmp(mode, "garbage")) {
        say("done move=\"castle left\"");
    } else if (!strcmp(mode, "nothing")) {
        say("done");
    } else if (!strcmp(mode, "error")) {
        say("error message=\"no idea\"");
    } else if (!strcmp(mode, "flood")) {
        for (;;) {
            puts("info depth=1 score=0.00");
        }
    } else if (!strcmp(mode, "long")) {
        for (;;) {
            putchar('x');
        }
    } else if (!strcmp(mode, "child")) {
        have_child(engine);
    }
}

static void search(struct engine *engine)
{
    char text[DAMA_HUB_MOVE_SIZE];
    struct dama_move_list list;
    bool is_now = is_bad(engine);
    bool is_late = is_now && !strcmp(engine->mode, "late");
    if (is_late) {
        nanosleep(&late, NULL);
    } else if (is_now) {
        misbehave(engine);
        return;
    }
    const struct dama_position *position = dama_game_position(engine->game);
    engine->game->kernel->generate(engine->game->rules, position, &list);
    dama_hub_write_move(&engine->board, list.moves[0], text);
    printf("info depth=1\ndone move=%s\n", text);
    fflush(stdout);
}

static void set_position(struct engine *engine, const struct dama_hub_line *line)
{
    struct dama_position position;
    struct dama_error err = {0};
    const char *moves = dama_hub_line_value(line, "moves");
    if (dama_hub_read_position(&engine->board, dama_hub_line_value(line, "pos"), &position, &err) !=
        DAMA_OK) {
        exit(1);
    }
    dama_game_reset(engine->game, &position);
    if (dama_hub_read_moves(&engine->board, moves ? moves : "", engine->game, &err) != DAMA_OK) {
        exit(1);
    }
}

static void obey(struct engine *engine, char *text)
{
    struct dama_hub_line line;
    dama_hub_line_split(text, &line);
    if (!strcmp(line.command, "hub") && strcmp(engine->mode, "mute") != 0) {
        say("id name=Fake version=1\nwait");
    } else if (!strcmp(line.command, "init")) {
        say("some words\nready");
    } else if (!strcmp(line.command, "pos")) {
        set_position(engine, &line);
    } else if (!strcmp(line.command, "go")) {
        search(engine);
    } else if (!strcmp(line.command, "quit")) {
        exit(0);
    }
}

int main(int argc, char **argv)
{
    static struct dama_lines lines;
    const struct dama_rules *rules = dama_rules_find("international");
    struct engine engine = {
        .mode = argc > 1 ? argv[1] : "good",
        .file = argc > 2 ? argv[2] : NULL,
        .board = {.rules = rules},
        .game = dama_game_new(rules, DAMA_DRAWS_FEDERATION, NULL),
    };
    char *text;
    dama_lines_init(&lines, STDIN_FILENO);
    while (dama_lines_next(&lines, -1, &text) == DAMA_LINES_LINE) {
        obey(&engine, text);
    }
    return 0;
}
