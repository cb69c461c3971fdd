/* The findings of all ranks as one list: what several found alike is said once. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/doctor.h"
#include "cluster/shell_text.h"

enum { NAMES_SIZE = 256 };

/* The ranks that say the same. */
struct group {
    struct dama_finding finding;
    int count;
    int *ranks; /* ascending */
};

struct list {
    const struct dama_rank_report *reports;
    int ranks;
    int count, capacity, wrong;
    struct group *groups;
};

static bool are_equal(const struct dama_finding *a, const struct dama_finding *b)
{
    return a->is_wrong == b->is_wrong && strcmp(a->name, b->name) == 0 &&
           strcmp(a->text, b->text) == 0 && strcmp(a->cure, b->cure) == 0;
}

/* Adds what a rank found, to the group that says the same since `first`. */
static bool add_finding(struct list *list, int first, const struct dama_finding *finding, int rank)
{
    int at = first;
    while (at < list->count && !are_equal(&list->groups[at].finding, finding)) {
        at++;
    }
    if (at == list->count) {
        if (list->count == list->capacity) {
            int capacity = list->capacity ? 2 * list->capacity : DAMA_FINDINGS_MAX;
            struct group *grown = realloc(list->groups, (size_t)capacity * sizeof *list->groups);
            if (!grown) {
                return false;
            }
            list->groups = grown;
            list->capacity = capacity;
        }
        int *ranks = calloc((size_t)list->ranks, sizeof *ranks);
        if (!ranks) {
            return false;
        }
        list->groups[list->count++] = (struct group){.finding = *finding, .ranks = ranks};
        list->wrong += finding->is_wrong;
    }
    struct group *group = &list->groups[at];
    group->ranks[group->count++] = rank;
    return true;
}

/* Each wrong finding about the check of rank 0's list; else rank 0's good one, which stands for
   all: free space and the like differ by a little. */
static bool add_check(struct list *list, int index)
{
    const char *name = list->reports[0].findings.at[index].name;
    int first = list->count;
    for (int rank = 0; rank < list->ranks; rank++) {
        const struct dama_findings *findings = &list->reports[rank].findings;
        for (int i = 0; i < findings->count; i++) {
            const struct dama_finding *finding = &findings->at[i];
            if (strcmp(finding->name, name) == 0 && finding->is_wrong &&
                !add_finding(list, first, finding, rank)) {
                return false;
            }
        }
    }
    if (list->count > first) {
        return true;
    }
    struct dama_finding good = list->reports[0].findings.at[index];
    for (int rank = 0; rank < list->ranks; rank++) {
        if (!add_finding(list, first, &good, rank)) {
            return false;
        }
    }
    return true;
}

/* A rank with another program is refused by every run. */
static bool add_versions(struct list *list)
{
    struct dama_findings findings = {0};
    char program[PATH_MAX] = "";
    char word[PATH_MAX];
    int first = list->count;
    const struct dama_rank_report *zero = &list->reports[0];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    bool is_good = length > 0 && dama_shell_word(program, word, sizeof word);
    for (int rank = 1; rank < list->ranks; rank++) {
        const struct dama_rank_report *report = &list->reports[rank];
        if (strcmp(report->program, zero->program) != 0) {
            findings.count = 0;
            dama_finding_bad(&findings, "versions", "%.112s; rank 0: %.112s", report->program,
                             zero->program);
            dama_finding_cure(&findings, "scp %s %s:%s", is_good ? word : "dama", report->host,
                              is_good ? word : "dama");
            if (!add_finding(list, first, &findings.at[0], rank)) {
                return false;
            }
        }
    }
    dama_finding_good(&findings, "versions", "%s", zero->program);
    return list->ranks == 1 || list->count > first ||
           add_finding(list, first, &findings.at[findings.count - 1], 0);
}

static void free_list(struct list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->groups[i].ranks);
    }
    free(list->groups);
}

static bool make_list(struct list *list, const struct dama_rank_report *reports, int ranks)
{
    *list = (struct list){.reports = reports, .ranks = ranks};
    bool is_good = add_versions(list);
    for (int i = 0; is_good && i < reports[0].findings.count; i++) {
        is_good = add_check(list, i);
    }
    if (!is_good) {
        free_list(list);
    }
    return is_good;
}

/* "ranks 0-2 5 on a b"; what does not fit is "...". */
static void name_ranks(const struct list *list, const struct group *group, char out[NAMES_SIZE])
{
    enum { ROOM = NAMES_SIZE - 32 };
    int length = snprintf(out, NAMES_SIZE, group->count > 1 ? "ranks" : "rank");
    for (int i = 0; i < group->count && length < ROOM / 2; i++) {
        int last = i;
        while (last + 1 < group->count && group->ranks[last + 1] == group->ranks[last] + 1) {
            last++;
        }
        length += snprintf(out + length, NAMES_SIZE - (size_t)length, last > i ? " %d-%d" : " %d",
                           group->ranks[i], group->ranks[last]);
        i = last;
    }
    length += snprintf(out + length, NAMES_SIZE - (size_t)length, " on");
    const char *before = "";
    for (int i = 0; i < group->count; i++) {
        const char *host = list->reports[group->ranks[i]].host;
        if (length + (int)strlen(host) > ROOM) {
            snprintf(out + length, NAMES_SIZE - (size_t)length, " ...");
            return;
        }
        if (strcmp(host, before) != 0) {
            length += snprintf(out + length, NAMES_SIZE - (size_t)length, " %s", host);
        }
        before = host;
    }
}

int dama_doctor_print_text(const struct dama_rank_report *reports, int ranks)
{
    struct list list;
    if (!make_list(&list, reports, ranks)) {
        return -1;
    }
    for (int i = 0; i < list.count; i++) {
        const struct dama_finding *finding = &list.groups[i].finding;
        char names[NAMES_SIZE] = "";
        if (ranks > 1 && finding->is_wrong) {
            name_ranks(&list, &list.groups[i], names);
        }
        printf("%-10s %-6s %s%s%s\n", finding->name, finding->is_wrong ? "WRONG" : "good", names,
               *names ? ": " : "", finding->text);
        if (finding->is_wrong) {
            printf("%-17s mend it by: %s\n", "", finding->cure);
        }
    }
    printf(list.wrong ? "%d of %d checks are wrong" : "%d of %d checks are wrong: all is well",
           list.wrong, list.count);
    printf(ranks > 1 ? ", %d ranks looked\n" : "\n", ranks);
    free_list(&list);
    return list.wrong;
}

static json_t *json_of(const struct list *list, const struct group *group)
{
    const struct dama_finding *finding = &group->finding;
    json_t *ranks = json_array();
    json_t *hosts = json_array();
    const char *before = "";
    for (int i = 0; i < group->count; i++) {
        const char *host = list->reports[group->ranks[i]].host;
        json_array_append_new(ranks, json_integer(group->ranks[i]));
        if (strcmp(host, before) != 0) {
            json_array_append_new(hosts, json_string(host));
        }
        before = host;
    }
    return json_pack("{s:s,s:b,s:s+,s:s+,s:o,s:o}", "check", finding->name, "wrong",
                     finding->is_wrong, "found", finding->text, "", "mend", finding->cure, "",
                     "ranks", ranks, "hosts", hosts);
}

int dama_doctor_print_json(const struct dama_rank_report *reports, int ranks)
{
    struct list list;
    if (!make_list(&list, reports, ranks)) {
        return -1;
    }
    json_t *checks = json_array();
    for (int i = 0; i < list.count; i++) {
        json_array_append_new(checks, json_of(&list, &list.groups[i]));
    }
    json_t *all = json_pack("{s:i,s:i,s:o}", "wrong", list.wrong, "ranks", ranks, "checks", checks);
    char *text = all ? json_dumps(all, JSON_COMPACT) : NULL;
    if (text) {
        puts(text);
    }
    int wrong = text ? list.wrong : -1;
    free(text);
    json_decref(all);
    free_list(&list);
    return wrong;
}
