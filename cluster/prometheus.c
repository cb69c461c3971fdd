/* Metrics from a status. */
#include "cluster/prometheus.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/json.h"

struct metric {
    const char *name;
    const char *member;
    const char *help;
};

#define METRIC(metric, json_member, text) {#metric, #json_member, text},
static const struct metric metrics[] = {DAMA_METRICS(METRIC)};
static const struct metric work_metrics[] = {DAMA_WORK_METRICS(METRIC)};
#undef METRIC
static const char *const states[] = {"running", "done", "stopped", "failed"};

struct writing {
    FILE *out;
    const char *run;
};

static void write_head(const struct writing *writing, const char *name, const char *help)
{
    const char *total = "_total";
    size_t length = strlen(name);
    bool is_counter = length > strlen(total) && !strcmp(name + length - strlen(total), total);
    fprintf(writing->out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
            is_counter ? "counter" : "gauge");
}

/* Prometheus drops a whole file for one byte that is not UTF-8. */
static void write_label(FILE *out, const char *before, const char *name, const char *value)
{
    fprintf(out, "%s%s=\"", before, name);
    for (const char *at = value; *at;) {
        int length = dama_utf8_length(at);
        if (length == 0) {
            fputs("\xef\xbf\xbd", out);
        } else if (*at == '\n') {
            fputs("\\n", out);
        } else {
            fprintf(out, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", length, at);
        }
        at += length > 0 ? length : 1;
    }
    fputc('"', out);
}

/* NAME{run="...",first="...",second="..."} NUMBER; labels end with a NULL name. */
struct label {
    const char *name, *value;
};

static void write_sample(const struct writing *writing, const char *name,
                         const struct label labels[], double value)
{
    fputs(name, writing->out);
    write_label(writing->out, "{", "run", writing->run);
    for (; labels->name; labels++) {
        write_label(writing->out, ",", labels->name, labels->value);
    }
    fprintf(writing->out, "} %.15g\n", value);
}

static const char *text_of(const json_t *object, const char *member)
{
    const char *text = json_string_value(json_object_get(object, member));
    return text ? text : "";
}

static void write_metrics(const struct writing *writing, const json_t *status,
                          const struct metric *list, size_t count, const struct label labels[])
{
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(status, list[i].member);
        if (json_is_number(value) && json_number_value(value) >= 0) {
            write_head(writing, list[i].name, list[i].help);
            write_sample(writing, list[i].name, labels, json_number_value(value));
        }
    }
}

static void write_work(const struct writing *writing, const json_t *status)
{
    const char *stage = text_of(status, "stage");
    const struct label work[] = {{"stage", stage}, {"unit", text_of(status, "unit")}, {NULL, NULL}};
    write_metrics(writing, status, work_metrics, sizeof work_metrics / sizeof work_metrics[0],
                  work);
    write_head(writing, "dama_state", "1 for what the work is: running, done, stopped or failed.");
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        const struct label state[] = {{"stage", stage}, {"state", states[i]}, {NULL, NULL}};
        write_sample(writing, "dama_state", state, !strcmp(text_of(status, "state"), states[i]));
    }
}

static void write_files(const struct writing *writing, const json_t *status, time_t now)
{
    const struct label none[] = {{NULL, NULL}};
    const json_t *bytes = json_object_get(json_object_get(status, "stored"), "bytes");
    write_head(writing, "dama_updated_timestamp_seconds", "When these metrics were written.");
    write_sample(writing, "dama_updated_timestamp_seconds", none, (double)now);
    write_metrics(writing, status, metrics, sizeof metrics / sizeof metrics[0], none);
    if (json_is_number(bytes)) {
        write_head(writing, "dama_stored_bytes", "Bytes of the shards.");
        write_sample(writing, "dama_stored_bytes", none, json_number_value(bytes));
    }
}

static void write_results(const struct writing *writing, json_t *results)
{
    const char *name;
    json_t *value;
    if (json_is_object(results)) {
        write_head(writing, "dama_games_total", "Finished games by result.");
    }
    json_object_foreach(results, name, value)
    {
        const struct label result[] = {{"result", name}, {NULL, NULL}};
        write_sample(writing, "dama_games_total", result, json_number_value(value));
    }
}

static bool holds(const json_t *numbers, size_t number)
{
    size_t i;
    json_t *value;
    json_array_foreach(numbers, i, value)
    {
        if (json_integer_value(value) == (json_int_t)number) {
            return true;
        }
    }
    return false;
}

/* slow: the numbers of ranks, for the metric without a member. */
static void write_rank_metric(const struct writing *writing, const json_t *ranks,
                              const struct metric *metric, const json_t *slow)
{
    size_t i;
    json_t *rank;
    write_head(writing, metric->name, metric->help);
    json_array_foreach(ranks, i, rank)
    {
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        const struct label labels[] = {
            {"rank", number}, {"host", text_of(rank, "host")}, {NULL, NULL}};
        write_sample(writing, metric->name, labels,
                     metric->member ? json_number_value(json_object_get(rank, metric->member))
                                    : holds(slow, i));
    }
}

static void write_ranks(const struct writing *writing, const json_t *status)
{
    static const struct metric of_rank[] = {
        {"dama_rank_games_total", "games", "Games that the rank has played."},
        {"dama_rank_games_per_second", "rate", "Games a second of the rank."},
        {"dama_rank_slow", NULL, "1 when the rank plays less than half of the median."},
    };
    const json_t *ranks = json_object_get(status, "ranks");
    for (size_t i = 0; ranks && i < sizeof of_rank / sizeof of_rank[0]; i++) {
        write_rank_metric(writing, ranks, &of_rank[i], json_object_get(status, "slow"));
    }
}

char *dama_prometheus_format(const char *status_json, const char *run, time_t now)
{
    json_t *status = json_loads(status_json, 0, NULL);
    char *text = NULL;
    size_t size = 0;
    struct writing writing = {.run = run};
    writing.out = json_is_object(status) ? open_memstream(&text, &size) : NULL;
    if (writing.out) {
        write_work(&writing, status);
        write_files(&writing, status, now);
        if (strcmp(text_of(status, "stage"), "selfplay") == 0) {
            write_results(&writing, json_object_get(status, "results"));
        }
        write_ranks(&writing, status);
        if (fclose(writing.out) != 0) {
            free(text);
            text = NULL;
        }
    }
    json_decref(status);
    return text;
}
