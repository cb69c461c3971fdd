/* `pdn check`: replays the games of PDN files, counts, and names what is illegal. */
#include "engine/cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/json.h"
#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/pdn.h"

enum { FILE_BYTES_MAX = 1 << 30, TOKEN_SIZE = 64 };

struct check {
    struct dama_common common;
    bool json;
    struct dama_ruleset ruleset;
    const struct dama_rules *rules; /* of --variant or --rules; NULL: those of each game's tag */
    enum dama_squares squares;
};

/* What one file holds. */
struct counts {
    int games;
    long plies;
    int white;
    int black;
    int drawn;
    int open;
    int unknown;
    int failed;
    int noted;
};

/* The memory that all games of a file share. */
struct work {
    struct dama_pdn_game game;
    struct dama_pdn_replay replay;
};

static void count_result(struct counts *counts, enum dama_pdn_result result)
{
    counts->white += result == DAMA_PDN_WHITE_WON;
    counts->black += result == DAMA_PDN_BLACK_WON;
    counts->drawn += result == DAMA_PDN_DRAWN;
    counts->open += result == DAMA_PDN_NONE;
    counts->unknown += result == DAMA_PDN_UNKNOWN;
}

/* The token that failed and the legal moves at its place. */
static void print_json_ply(const struct check *check, const struct dama_rules *rules,
                           const struct work *work)
{
    const struct dama_pdn_replay *replay = &work->replay;
    const struct dama_pdn_token *token = &work->game.tokens[replay->failed_token];
    char text[TOKEN_SIZE];
    dama_pdn_unescape(token->text, text, sizeof text);
    printf(",\"ply\":%d,\"token\":", replay->count + 1);
    dama_json_string(stdout, text);
    printf(",\"legal\":[");
    struct dama_move_list legal;
    dama_kernel_find(rules)->generate(rules, &replay->final, &legal);
    for (int i = 0; i < legal.count; i++) {
        char move[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules, check->squares, &replay->final, legal.moves[i], move);
        printf("%s\"%s\"", i ? "," : "", move);
    }
    printf("]");
}

static void print_failure(const struct check *check, const struct dama_rules *rules,
                          const struct work *work, const struct dama_error *err, bool is_first)
{
    if (!check->json) {
        fprintf(stderr, "%s\n", err->text);
        return;
    }
    bool has_ply = rules && work->replay.failed_token >= 0;
    int line = has_ply ? work->game.tokens[work->replay.failed_token].line : work->game.line;
    printf("%s{\"game\":%d,\"line\":%d", is_first ? "" : ",", work->game.number, line);
    if (has_ply) {
        print_json_ply(check, rules, work);
    }
    printf(",\"error\":");
    dama_json_string(stdout, err->text);
    printf("}");
}

/* Replays the game that was read; failures are printed at once. */
static void check_game(const struct check *check, struct work *work, struct counts *counts)
{
    struct dama_error err = {0};
    const struct dama_rules *rules = NULL;
    work->replay.failed_token = -1;
    enum dama_status status = dama_pdn_rules(&work->game, check->rules, &rules, &err);
    if (status == DAMA_OK) {
        status = dama_pdn_replay(&work->game, rules, check->squares, &work->replay, &err);
        counts->plies += work->replay.count;
        count_result(counts, dama_pdn_game_result(rules, &work->game));
    }
    if (work->game.note.status != DAMA_OK) {
        fprintf(stderr, "note: %s\n", work->game.note.text);
        counts->noted++;
    }
    if (status == DAMA_OK && work->game.error.status != DAMA_OK) {
        status = work->game.error.status;
        err = work->game.error;
    }
    if (status != DAMA_OK) {
        print_failure(check, rules, work, &err, counts->failed == 0);
        counts->failed++;
    }
}

static void print_counts(const struct check *check, const char *path, const struct counts *counts)
{
    if (check->json) {
        printf("],\"games\":%d,\"plies\":%ld,\"white\":%d,\"black\":%d,\"drawn\":%d,"
               "\"open\":%d,\"unknown\":%d,\"noted\":%d}\n",
               counts->games, counts->plies, counts->white, counts->black, counts->drawn,
               counts->open, counts->unknown, counts->noted);
        return;
    }
    printf("%s: %d games, %ld plies, white won %d, black won %d, drawn %d, open %d, unknown %d, "
           "failed %d\n",
           path, counts->games, counts->plies, counts->white, counts->black, counts->drawn,
           counts->open, counts->unknown, counts->failed);
}

static enum dama_status check_file(const struct check *check, const char *path, int *failed,
                                   struct dama_error *err)
{
    unsigned char *text;
    size_t size;
    DAMA_TRY(dama_file_read(path, FILE_BYTES_MAX, &text, &size, err));
    struct work work = {.replay = {.failed_token = -1}};
    struct counts counts = {0};
    struct dama_pdn_reader reader = dama_pdn_open(path, (const char *)text, size);
    if (check->json) {
        printf("{\"file\":");
        dama_json_string(stdout, path);
        printf(",\"failures\":[");
    }
    while (dama_pdn_next(&reader, &work.game)) {
        counts.games++;
        check_game(check, &work, &counts);
    }
    print_counts(check, path, &counts);
    *failed += counts.failed;
    dama_pdn_game_free(&work.game);
    dama_pdn_replay_free(&work.replay);
    free(text);
    return DAMA_OK;
}

static int run_check(int argc, char **argv)
{
    struct check check = {.json = false};
    struct dama_texts files = {.count = 0};
    const struct dama_option options[] = {
        {"variant", DAMA_OPTION_TEXT, &check.common.variant, "V",
         "a built-in rule set, for games without a GameType tag; it wins over the tag", 0, 0},
        dama_option_rules(&check.common),
        dama_option_json(&check.json, "a JSON object a file"),
        dama_option_squares(&check.common, "numbering of squares in the files"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "pdn check",
        .arguments = "FILE...",
        .summary = "Replays every game of PDN files and counts games, plies and results.",
        .details = "An illegal move is one line of the log: file, line, game, ply, what was found "
                   "and the legal moves there. The exit status is 1 when any game fails.",
        .options = options,
        .least = 1,
        .most = DAMA_TEXTS_MAX,
    };
    dama_options_parse(&usage, argc, argv, &files);
    struct dama_error err = {0};
    bool has_rules = check.common.variant || check.common.rules_file;
    if (dama_common_squares(&check.common, &check.squares, &err) != DAMA_OK ||
        (has_rules && dama_common_rules(&check.common, &check.ruleset, &err) != DAMA_OK)) {
        return dama_verb_fail(&err);
    }
    check.rules = has_rules ? &check.ruleset.rules : NULL;
    int failed = 0;
    for (int i = 0; i < files.count; i++) {
        if (check_file(&check, files.at[i], &failed, &err) != DAMA_OK) {
            return dama_verb_fail(&err);
        }
    }
    return failed ? DAMA_EXIT_FAILED : DAMA_EXIT_DONE;
}

int dama_verb_pdn(int argc, char **argv)
{
    static const struct dama_verb verbs[] = {
        {"check", "replay games and count them", run_check, false},
        {0},
    };
    return dama_sub_verbs_run("pdn", verbs, argc, argv);
}
