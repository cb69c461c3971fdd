/* Commands of the Hub protocol and their answers. */
#include "engine/cli/hub_session.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cli/verb.h"
#include "engine/text.h"

static const double most_seconds = 1e9;

void dama_hub_error(struct dama_hub_session *session, const char *text)
{
    fputs("error", session->out);
    dama_hub_write_pair(session->out, "message", text);
    fputc('\n', session->out);
}

static void free_engine(struct dama_hub_session *session)
{
    dama_searcher_free(session->searcher);
    dama_game_free(session->game);
    session->searcher = NULL;
    session->game = NULL;
    session->has_position = false;
}

static enum dama_status load_rules(struct dama_hub_session *session, struct dama_error *err)
{
    if (session->rules_file) {
        return dama_rules_file_load(session->rules_file, &session->ruleset, err);
    }
    return dama_ruleset_builtin(session->params.values[DAMA_HUB_VARIANT], &session->ruleset, err);
}

/* `default` is the first choice, the others are in the order of the enumeration. */
static enum dama_draw_rules draw_rules_of(const struct dama_hub_session *session)
{
    int choice = dama_hub_params_choice(&session->params, DAMA_HUB_DRAW_RULES);
    return choice == 0 ? dama_draw_rules_default(&session->ruleset.rules)
                       : (enum dama_draw_rules)(choice - 1);
}

/* Makes what the parameters ask for; the start position is set. */
static enum dama_status apply(struct dama_hub_session *session, struct dama_error *err)
{
    struct dama_weights weights;
    const char *file = session->params.values[DAMA_HUB_WEIGHTS];
    const struct dama_common common = {.weights = *file ? file : NULL};
    size_t table_kb = (size_t)dama_hub_params_int(&session->params, DAMA_HUB_TABLE_KB);
    free_engine(session);
    DAMA_TRY(load_rules(session, err));
    const struct dama_rules *rules = &session->ruleset.rules;
    enum dama_draw_rules draws = draw_rules_of(session);
    DAMA_TRY(dama_draw_rules_check(rules, draws, err));
    DAMA_TRY(dama_common_weights(&common, &session->ruleset, &weights, err));
    session->board = (struct dama_hub_board){
        .rules = rules,
        .numbers =
            (enum dama_hub_numbers)dama_hub_params_choice(&session->params, DAMA_HUB_NUMBERS),
    };
    session->searcher = dama_searcher_new(rules, &weights, table_kb, err);
    session->game = dama_game_new(rules, draws, NULL);
    if (!session->searcher || !session->game) {
        dama_fail(err, DAMA_MEMORY, "no memory for a table of %lu KiB",
                  (unsigned long long)table_kb);
        free_engine(session);
        return err->status;
    }
    session->has_position = true;
    session->is_changed = false;
    return DAMA_OK;
}

/* True when there is an engine as the parameters want it. */
static bool make_ready(struct dama_hub_session *session)
{
    struct dama_error err = {0};
    if (!session->is_ready) {
        dama_hub_error(session, "expected init before this command");
        return false;
    }
    if (session->is_changed && apply(session, &err) != DAMA_OK) {
        dama_hub_error(session, err.text);
    }
    return session->game != NULL;
}

static void answer_hub(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    (void)line;
    fputs("id", session->out);
    dama_hub_write_pair(session->out, "name", "Dama");
    dama_hub_write_pair(session->out, "version", dama_program_version());
    dama_hub_write_pair(session->out, "author", "the Dama authors");
    fputc('\n', session->out);
    dama_hub_params_declare(&session->params, session->out);
    fputs("wait\n", session->out);
}

static void answer_init(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    struct dama_error err = {0};
    (void)line;
    if (apply(session, &err) != DAMA_OK) {
        dama_hub_error(session, err.text);
        return;
    }
    session->is_ready = true;
    fputs("ready\n", session->out);
}

static void answer_set_param(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    const char *name = dama_hub_line_value(line, "name");
    const char *value = dama_hub_line_value(line, "value");
    struct dama_error err = {0};
    if (!name || !value) {
        dama_hub_error(session, "set-param: expected name and value");
    } else if (dama_hub_params_set(&session->params, name, value, &err) != DAMA_OK) {
        dama_hub_error(session, err.text);
    } else {
        session->is_changed = true;
    }
}

/* Without pos= it is the start position. A position or move that is wrong leaves none at all, so
   that no search answers for another position than the one that was meant. */
static void answer_pos(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    if (!make_ready(session)) {
        return;
    }
    const char *text = dama_hub_line_value(line, "pos");
    const char *moves = dama_hub_line_value(line, "moves");
    struct dama_position position = dama_position_start(session->board.rules);
    struct dama_error err = {0};
    session->is_limits_old = true;
    session->has_position =
        !text || dama_hub_read_position(&session->board, text, &position, &err) == DAMA_OK;
    if (session->has_position) {
        dama_game_reset(session->game, &position);
        session->has_position = dama_hub_read_moves(&session->board, moves ? moves : "",
                                                    session->game, &err) == DAMA_OK;
    }
    if (!session->has_position) {
        dama_hub_error(session, err.text);
    }
}

static bool read_real(const char *text, double low, double *out)
{
    char *end = NULL;
    double value = strtod(text, &end);
    bool is_good = end != text && *end == 0 && value >= low && value <= most_seconds;
    *out = is_good ? value : *out;
    return is_good;
}

static bool read_whole(const char *text, int64_t high, int64_t *out)
{
    return dama_text_read_int(&text, 1, high, out) && *text == 0;
}

/* One pair of `level`; false when its value is none. */
static bool read_limit(struct dama_hub_limits *limits, const struct dama_hub_pair *pair)
{
    int64_t whole = 0;
    bool is_good = true;
    if (!strcmp(pair->name, "depth")) {
        is_good = read_whole(pair->value, INT32_MAX, &whole);
        limits->depth = (int)whole;
    } else if (!strcmp(pair->name, "nodes")) {
        is_good = read_whole(pair->value, INT64_MAX, &whole);
        limits->nodes = (uint64_t)whole;
    } else if (!strcmp(pair->name, "move-time")) {
        is_good = read_real(pair->value, 0, &limits->move_time);
    } else if (!strcmp(pair->name, "time")) {
        /* A clock may be overdrawn: then the move is due at once. */
        is_good = read_real(pair->value, -most_seconds, &limits->time);
        limits->has_clock = true;
    } else if (!strcmp(pair->name, "inc")) {
        is_good = read_real(pair->value, 0, &limits->increment);
    } else if (!strcmp(pair->name, "moves")) {
        is_good = read_whole(pair->value, INT32_MAX, &whole);
        limits->moves = (int)whole;
    }
    return is_good;
}

/* Several lines between `pos` and `go` add up, as some clients send them. */
static void answer_level(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    struct dama_hub_limits limits = session->limits;
    if (session->is_limits_old) {
        limits = (struct dama_hub_limits){0};
    }
    for (int i = 0; i < line->count; i++) {
        if (!read_limit(&limits, &line->pairs[i])) {
            char text[DAMA_HUB_VALUE_SIZE];
            snprintf(text, sizeof text, "level: %s: expected a number, found '%s'",
                     line->pairs[i].name, line->pairs[i].value);
            dama_hub_error(session, text);
            return;
        }
    }
    session->limits = limits;
    session->is_limits_old = false;
}

static void answer_go(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    if (!make_ready(session)) {
        return;
    }
    if (!session->has_position) {
        dama_hub_error(session, "go: expected a position, found none");
        return;
    }
    enum dama_hub_mode mode = dama_hub_line_value(line, "analyze")  ? DAMA_HUB_ANALYZE
                              : dama_hub_line_value(line, "ponder") ? DAMA_HUB_PONDER
                                                                    : DAMA_HUB_THINK;
    dama_hub_search(session, mode);
}

static void answer_new_game(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    (void)line;
    if (make_ready(session)) {
        dama_searcher_clear(session->searcher);
    }
}

static void answer_ping(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    (void)line;
    fputs("pong\n", session->out);
}

static void answer_quit(struct dama_hub_session *session, const struct dama_hub_line *line)
{
    (void)line;
    session->is_over = true;
}

/* Any other command is ignored, as the protocol wants it; so are stop and ponder-hit without a
   search. */
static const struct command {
    const char *name;
    void (*answer)(struct dama_hub_session *session, const struct dama_hub_line *line);
} commands[] = {
    {"hub", answer_hub},   {"set-param", answer_set_param}, {"init", answer_init},
    {"pos", answer_pos},   {"level", answer_level},         {"go", answer_go},
    {"ping", answer_ping}, {"new-game", answer_new_game},   {"quit", answer_quit},
};

static void answer(struct dama_hub_session *session, char *text)
{
    struct dama_hub_line line;
    dama_hub_line_split(text, &line);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, line.command) == 0) {
            commands[i].answer(session, &line);
        }
    }
    fflush(session->out);
}

static void read_command(struct dama_hub_session *session)
{
    if (session->pending) {
        char *text = session->pending;
        session->pending = NULL;
        answer(session, text);
        free(text);
        return;
    }
    char *text = NULL;
    switch (dama_lines_next(&session->lines, -1, &text)) {
    case DAMA_LINES_LINE:
        answer(session, text);
        break;
    case DAMA_LINES_LONG:
        /* It may have been a position: no search answers for the one before. */
        session->has_position = false;
        dama_hub_error(session, "a line is too long");
        fflush(session->out);
        break;
    case DAMA_LINES_END:
        session->is_over = true;
        break;
    case DAMA_LINES_NONE:
        break;
    }
}

int dama_hub_run(const struct dama_hub_params *params, const char *rules_file, int input, FILE *out)
{
    struct dama_hub_session *session = calloc(1, sizeof *session);
    if (!session) {
        const struct dama_error err = {.status = DAMA_MEMORY, .text = "hub: out of memory"};
        return dama_verb_fail(&err);
    }
    session->out = out;
    session->rules_file = rules_file;
    session->params = *params;
    dama_lines_init(&session->lines, input);
    while (!session->is_over) {
        read_command(session);
    }
    free(session->pending);
    free_engine(session);
    free(session);
    return DAMA_EXIT_DONE;
}
