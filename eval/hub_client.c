/* The client's side of the Hub protocol: start, position, limits, search, and every way to fail. */
#include "eval/hub_client.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/clock.h"
#include "engine/cli/hub_board.h"
#include "engine/text.h"
#include "eval/hub_start.h"
#include "eval/process.h"

enum {
    SLICE_MS = 50, /* between two looks at the stop flag */
    QUIT_MS = 500,
    STALE_LINES_MAX = 10000,
};

struct dama_hub_client {
    struct dama_hub_client_setup setup;
    struct dama_hub_board board;
    struct dama_process *process; /* NULL: it was killed */
    bool is_new_game;
};

/* One question to the engine. */
struct asking {
    struct dama_hub_client *client;
    const struct dama_game *game;
    const struct dama_hub_client_limits *limits;
    const atomic_bool *stop;
    double started;
    bool is_late; /* told to stop */
    struct dama_hub_answer *answer;
};

const char *dama_fault_text(enum dama_fault fault)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_FAULTS(X)
#undef X
    };
    assert(fault < DAMA_FAULT_COUNT);
    return texts[fault];
}

struct dama_hub_client *dama_hub_client_new(const struct dama_hub_client_setup *setup,
                                            struct dama_error *err)
{
    struct dama_hub_client *client = calloc(1, sizeof *client);
    if (!client) {
        dama_fail(err, DAMA_MEMORY, "no memory for an engine");
        return NULL;
    }
    client->setup = *setup;
    client->board = (struct dama_hub_board){.rules = &setup->ruleset->rules};
    client->process = dama_hub_start(setup, err);
    if (!client->process) {
        dama_hub_client_free(client);
        return NULL;
    }
    return client;
}

void dama_hub_client_free(struct dama_hub_client *client)
{
    if (client) {
        if (client->process) {
            dama_process_send(client->process, "quit\n", 0);
        }
        dama_process_end(client->process, QUIT_MS);
        free(client);
    }
}

void dama_hub_client_new_game(struct dama_hub_client *client)
{
    client->is_new_game = true;
}

static void end_engine(struct dama_hub_client *client)
{
    dama_process_end(client->process, 0);
    client->process = NULL;
}

static void fail_answer(struct asking *asking, enum dama_fault fault, const char *text)
{
    asking->answer->fault = fault;
    asking->answer->move = DAMA_MOVE_NONE;
    dama_fail(&asking->answer->why, DAMA_IO, "%s", text);
}

/* The position of the last capture or man's move, and the moves since: all that can repeat. */
static void format_position(const struct asking *asking, struct dama_text *out)
{
    const struct dama_game *game = asking->game;
    const struct dama_hub_board *board = &asking->client->board;
    char text[DAMA_HUB_POSITION_SIZE];
    int first = game->ply - game->plies[game->ply].counts.king;
    first = first > 0 ? first : 0;
    dama_hub_write_position(board, &game->plies[first].position, text);
    dama_text_add(out, "pos pos=%s", text);
    for (int ply = first; ply < game->ply; ply++) {
        char move[DAMA_HUB_MOVE_SIZE];
        dama_hub_write_move(board, game->plies[ply].move, move);
        dama_text_add(out, "%s%s", ply == first ? " moves=\"" : " ", move);
    }
    dama_text_add(out, "%s\n", first < game->ply ? "\"" : "");
}

static void format_level(const struct dama_hub_client_limits *limits, struct dama_text *out)
{
    char text[128];
    dama_text_add(out, "level");
    if (limits->depth) {
        dama_text_add(out, " depth=%d", limits->depth);
    }
    if (limits->nodes) {
        dama_text_add(out, " nodes=%lu", (unsigned long long)limits->nodes);
    }
    if (limits->move_time > 0) {
        snprintf(text, sizeof text, " move-time=%.3f", limits->move_time);
        dama_text_add(out, "%s", text);
    }
    if (limits->has_clock) {
        snprintf(text, sizeof text, " time=%.3f inc=%.3f", limits->time, limits->increment);
        dama_text_add(out, "%s", text);
    }
    dama_text_add(out, "\n");
}

/* Lines that belong to an earlier search. */
static void drop_stale_lines(struct dama_hub_client *client)
{
    char *line;
    for (int i = 0; i < STALE_LINES_MAX; i++) {
        enum dama_lines_state state = dama_process_next(client->process, 0, &line);
        if (state == DAMA_LINES_NONE || state == DAMA_LINES_END) {
            return;
        }
    }
}

static bool ask(struct asking *asking)
{
    struct dama_hub_client *client = asking->client;
    char *bytes = malloc(DAMA_LINE_SIZE);
    struct dama_text text = {.at = bytes, .size = bytes ? DAMA_LINE_SIZE : 0};
    if (client->is_new_game) {
        dama_text_add(&text, "new-game\n");
    }
    format_position(asking, &text);
    format_level(asking->limits, &text);
    dama_text_add(&text, "go think\n");
    bool is_sent = bytes && dama_text_fits(&text) &&
                   dama_process_send(client->process, bytes, client->setup.patience_ms);
    client->is_new_game = false;
    free(bytes);
    return is_sent;
}

/* `done`: the end of the search, whatever it says. */
static void take_move(struct asking *asking, const struct dama_hub_line *line)
{
    struct dama_hub_answer *answer = asking->answer;
    const char *text = dama_hub_line_value(line, "move");
    struct dama_error err = {0};
    answer->seconds = dama_clock() - asking->started;
    if (asking->is_late ||
        (asking->limits->allowed > 0 && answer->seconds > asking->limits->allowed)) {
        fail_answer(asking, DAMA_FAULT_TIME, "its move came too late");
    } else if (!text) {
        fail_answer(asking, DAMA_FAULT_PROTOCOL, "done without a move");
    } else if (dama_hub_read_move(&asking->client->board, dama_game_position(asking->game), text,
                                  &answer->move, &err) != DAMA_OK) {
        bool is_move = err.status == DAMA_ILLEGAL;
        fail_answer(asking, is_move ? DAMA_FAULT_ILLEGAL : DAMA_FAULT_PROTOCOL, err.text);
    }
}

/* True when the line ends the question. */
static bool take_line(struct asking *asking, char *text)
{
    struct dama_hub_line line;
    dama_hub_line_split(text, &line);
    if (strcmp(line.command, "done") == 0) {
        take_move(asking, &line);
        return true;
    }
    if (strcmp(line.command, "error") == 0) {
        const char *message = dama_hub_line_value(&line, "message");
        char why[256];
        snprintf(why, sizeof why, "error message: %.200s", message ? message : "");
        fail_answer(asking, DAMA_FAULT_PROTOCOL, why);
        return true;
    }
    return false;
}

/* Time has passed. True when nothing more is waited for. A search that is late is told to stop, so
   that the engine is ready for the next game; one that does not stop is killed. */
static bool take_pause(struct asking *asking)
{
    const struct dama_hub_client_limits *limits = asking->limits;
    double elapsed = dama_clock() - asking->started;
    double patience = asking->client->setup.patience_ms / 1000.0;
    if (elapsed > limits->allowed + patience) {
        fail_answer(asking, DAMA_FAULT_HANG, "no answer, killed");
        return true;
    }
    if (limits->allowed > 0 && elapsed > limits->allowed && !asking->is_late) {
        asking->is_late = true;
        dama_process_send(asking->client->process, "stop\n", SLICE_MS);
    }
    return false;
}

static void listen(struct asking *asking)
{
    bool is_over = false;
    while (!is_over && !atomic_load(asking->stop)) {
        char *line;
        switch (dama_process_next(asking->client->process, SLICE_MS, &line)) {
        case DAMA_LINES_LINE:
            is_over = take_line(asking, line) || take_pause(asking);
            break;
        case DAMA_LINES_NONE:
            is_over = take_pause(asking);
            break;
        case DAMA_LINES_END:
            fail_answer(asking, DAMA_FAULT_CRASH, "it has ended");
            is_over = true;
            break;
        case DAMA_LINES_LONG:
            fail_answer(asking, DAMA_FAULT_PROTOCOL, "a line without an end");
            is_over = true;
            break;
        }
    }
}

/* Starts the engine again if it was killed. */
static bool is_running(struct asking *asking)
{
    struct dama_hub_client *client = asking->client;
    if (!client->process) {
        struct dama_error err = {0};
        client->process = dama_hub_start(&client->setup, &err);
        if (!client->process) {
            fail_answer(asking, DAMA_FAULT_START, err.text);
        }
    }
    return client->process != NULL;
}

void dama_hub_client_move(struct dama_hub_client *client, const struct dama_game *game,
                          const struct dama_hub_client_limits *limits, const atomic_bool *stop,
                          struct dama_hub_answer *answer)
{
    *answer = (struct dama_hub_answer){.move = DAMA_MOVE_NONE};
    struct asking asking = {
        .client = client, .game = game, .limits = limits, .stop = stop, .answer = answer};
    if (!is_running(&asking)) {
        return;
    }
    drop_stale_lines(client);
    asking.started = dama_clock();
    if (ask(&asking)) {
        listen(&asking);
    } else {
        fail_answer(&asking, DAMA_FAULT_CRASH, "it does not read");
    }
    /* Only an engine that has answered is known to be ready for another question. */
    bool is_idle = answer->move != DAMA_MOVE_NONE || answer->fault == DAMA_FAULT_TIME ||
                   answer->fault == DAMA_FAULT_ILLEGAL;
    if (!is_idle) {
        end_engine(client);
    }
}
