/* Metrics from a status. */
#include "cluster/prometheus.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct metric {
    const char *name;
    const char *member;
    const char *help;
};

static const struct metric metrics[] = {
#define NAME(metric, json_member, text) {#metric, #json_member, text},
    DAMA_METRICS(NAME)
#undef NAME
};

static void write_head(FILE *out, const char *name, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static const char *text_of(const json_t *object, const char *member)
{
    const char *text = json_string_value(json_object_get(object, member));
    return text ? text : "";
}

static void write_work(FILE *out, const json_t *status)
{
    const char *stage = text_of(status, "stage");
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        const json_t *value = json_object_get(status, metrics[i].member);
        if (json_is_number(value)) {
            write_head(out, metrics[i].name, metrics[i].help);
            fprintf(out, "%s{stage=\"%s\",unit=\"%s\"} %.15g\n", metrics[i].name, stage,
                    text_of(status, "unit"), json_number_value(value));
        }
    }
    write_head(out, "dama_running", "1 while the work goes on.");
    fprintf(out, "dama_running{stage=\"%s\"} %d\n", stage,
            strcmp(text_of(status, "state"), "running") == 0);
}

static void write_results(FILE *out, json_t *results)
{
    const char *name;
    json_t *value;
    if (json_is_object(results)) {
        write_head(out, "dama_games", "Finished games by result.");
    }
    json_object_foreach(results, name, value)
    {
        fprintf(out, "dama_games{result=\"%s\"} %.15g\n", name, json_number_value(value));
    }
}

static void write_rank_member(FILE *out, const json_t *ranks, const struct metric *metric)
{
    size_t i;
    json_t *rank;
    write_head(out, metric->name, metric->help);
    json_array_foreach(ranks, i, rank)
    {
        fprintf(out, "%s{rank=\"%zu\",host=\"%s\"} %.15g\n", metric->name, i, text_of(rank, "host"),
                json_number_value(json_object_get(rank, metric->member)));
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

static void write_ranks(FILE *out, const json_t *ranks, const json_t *slow)
{
    static const struct metric of_rank[] = {
        {"dama_rank_games", "games", "Games that the rank has played."},
        {"dama_rank_games_per_second", "rate", "Games a second of the rank."},
    };
    for (size_t i = 0; i < sizeof of_rank / sizeof of_rank[0]; i++) {
        write_rank_member(out, ranks, &of_rank[i]);
    }
    size_t i;
    json_t *rank;
    write_head(out, "dama_rank_slow", "1 when the rank plays less than half of the median.");
    json_array_foreach(ranks, i, rank)
    {
        fprintf(out, "dama_rank_slow{rank=\"%zu\",host=\"%s\"} %d\n", i, text_of(rank, "host"),
                holds(slow, i));
    }
}

char *dama_prometheus_format(const char *status_json)
{
    json_t *status = json_loads(status_json, 0, NULL);
    char *text = NULL;
    size_t size = 0;
    FILE *out = json_is_object(status) ? open_memstream(&text, &size) : NULL;
    if (out) {
        write_work(out, status);
        if (strcmp(text_of(status, "stage"), "selfplay") == 0) {
            write_results(out, json_object_get(status, "results"));
        }
        if (json_object_get(status, "ranks")) {
            write_ranks(out, json_object_get(status, "ranks"), json_object_get(status, "slow"));
        }
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    json_decref(status);
    return text;
}
