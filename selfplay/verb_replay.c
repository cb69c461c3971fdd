/* dama replay: plays one stored game again by the engine, compares it with what is stored, and
 * shows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/common_options.h"
#include "engine/pdn.h"
#include "selfplay/find_game.h"
#include "selfplay/selfplay_verbs.h"
#include "selfplay/verify.h"

enum { PDN_SIZE = 1 << 20 };

struct arguments {
    const char *run;
    int64_t game;
    bool pdn;
    struct dama_common common; /* squares */
};

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.game = -1};
    const struct dama_option options[] = {
        {"game", DAMA_OPTION_INT, &a.game, "N", "the game's number", 0, INT64_MAX},
        {"pdn", DAMA_OPTION_FLAG, &a.pdn, NULL, "print the game as PDN", 0, 0},
        dama_option_squares(&a.common, "numbering of squares"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "replay",
        .arguments = "RUN",
        .summary = "Play one stored game again and show it.",
        .details = "Exit 1 when the game played again is not the stored one. Games that were "
                   "imported, or have got other scores, are checked by the rules and shown.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    a.run = rest.at[0];
    if (a.pdn && a.common.squares && strcmp(a.common.squares, "official") != 0) {
        dama_options_fail(&usage,
                          "--pdn: expected --squares official, found %s: the GameType tag "
                          "says how squares are numbered",
                          a.common.squares);
    }
    return a;
}

/* The end as it was: resignations and adjudications are facts of the record, not of the position.
 */
static struct dama_game_state end_state(const struct dama_contest_result *result)
{
    return (struct dama_game_state){
        .termination = result->termination, .reason = result->reason, .result = result->result};
}

/* A game to be shown: played again, or put together from its rows. */
struct shown {
    const struct dama_game *game;
    struct dama_contest_result result;
    const struct dama_shard *shard;
    size_t index;
    bool is_imported;
    const char *remark;
};

static enum dama_status print_pdn(const struct shown *shown, struct dama_error *err)
{
    char *buffer = malloc(PDN_SIZE);
    if (!buffer) {
        return dama_fail(err, DAMA_MEMORY, "no memory for PDN");
    }
    char name[32];
    snprintf(name, sizeof name, "%llu", (unsigned long long)shown->shard->game[shown->index].id);
    const char *player = shown->is_imported ? "?" : "Dama";
    const struct dama_pdn_pair tags[] = {{"Event", shown->is_imported ? "Imported" : "Self-play"},
                                         {"Round", name},
                                         {"White", player},
                                         {"Black", player}};
    struct dama_text text = {.at = buffer, .size = PDN_SIZE};
    dama_pdn_write(&text, shown->game, end_state(&shown->result), tags, 4);
    fputs(buffer, stdout);
    free(buffer);
    return DAMA_OK;
}

static void print_head(const struct shown *shown)
{
    const struct dama_game_row *stored = &shown->shard->game[shown->index];
    if (shown->is_imported) {
        printf("game %llu  file %llu  game %llu of the file\n", (unsigned long long)stored->id,
               (unsigned long long)(stored->opening >> 32),
               (unsigned long long)(stored->opening & UINT32_MAX));
    } else {
        printf("game %llu  opening %llu  seed %016llx\n", (unsigned long long)stored->id,
               (unsigned long long)stored->opening, (unsigned long long)stored->seed);
    }
}

static const char *unscored_text(const struct dama_row *row)
{
    return row->flags & DAMA_ROW_RANDOM      ? " random"
           : row->flags & DAMA_ROW_ONLY_MOVE ? " only move"
                                             : "";
}

static void print_moves(const struct shown *shown, enum dama_squares squares)
{
    const struct dama_game *game = shown->game;
    const struct dama_game_row *stored = &shown->shard->game[shown->index];
    print_head(shown);
    for (int i = 0; i < game->ply; i++) {
        const struct dama_row *row = &shown->shard->row[stored->first_row + (size_t)i];
        char move[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(game->rules, squares, &game->plies[i].position, game->plies[i].move,
                              move);
        printf("%4d %c %-16s", i, row->side_to_move ? 'B' : 'W', move);
        if (row->score == DAMA_SCORE_NONE) {
            printf("%s\n", unscored_text(row));
        } else {
            printf(" %+d\n", row->score);
        }
    }
    const struct dama_contest_result *result = &shown->result;
    printf("end: %s, %s", dama_pdn_result_text(game->rules, end_state(result)),
           dama_termination_text(result->termination));
    if (result->reason != DAMA_DRAW_NONE) {
        printf(" (%s)", dama_draw_reason_text(result->reason));
    }
    printf("\n%s\n", shown->remark);
}

static enum dama_status print(const struct arguments *a, const struct shown *shown,
                              struct dama_error *err)
{
    enum dama_squares squares;
    DAMA_TRY(dama_common_squares(&a->common, &squares, err));
    if (a->pdn) {
        return print_pdn(shown, err);
    }
    print_moves(shown, squares);
    return DAMA_OK;
}

/* A game that the engine cannot play again: its rows are checked by the rules and shown. */
static enum dama_status show_rows(const struct arguments *a, const struct dama_found_game *found,
                                  const struct dama_stored_run *run, struct dama_error *err)
{
    const struct dama_rules *rules = &run->ruleset.rules;
    const struct dama_game_row *stored = &found->shard.game[found->index];
    struct dama_game *game = dama_game_new(rules, dama_run_config_draws(&run->config, rules), NULL);
    if (!game) {
        return dama_fail(err, DAMA_MEMORY, "no memory for a game");
    }
    enum dama_status status = dama_verify_game(run, &found->shard, found->index, game, err);
    bool is_imported = run->source == DAMA_SOURCE_IMPORT;
    if (status == DAMA_OK) {
        struct dama_game_state state = dama_game_state(game);
        const struct shown shown = {
            .game = game,
            .result = {.result = stored->result,
                       .termination = (enum dama_termination)stored->termination,
                       .reason = stored->termination == state.termination ? state.reason
                                                                          : DAMA_DRAW_NONE},
            .shard = &found->shard,
            .index = found->index,
            .is_imported = is_imported,
            .remark = is_imported
                          ? "imported: the engine cannot play it again; it follows the rules"
                          : "its scores are not those of the player: the engine cannot play it "
                            "again; it follows the rules",
        };
        status = print(a, &shown, err);
    }
    dama_game_free(game);
    return status;
}

static enum dama_status play_again(const struct arguments *a, const struct dama_found_game *found,
                                   const struct dama_stored_run *run, struct dama_error *err)
{
    DAMA_TRY(dama_stored_run_check_engine(run, err));
    struct dama_opening_book *book =
        dama_opening_book_new(&run->ruleset.rules, (int)run->config.random_plies, err);
    const struct dama_recorder recorder = {&run->ruleset, &run->weights, &run->config, book};
    struct dama_record_player *player = book ? dama_record_player_new(&recorder, err) : NULL;
    enum dama_status status = player ? DAMA_OK : err->status;
    if (status == DAMA_OK) {
        status = dama_verify_replay(player, &found->shard, found->index, err);
    }
    if (status == DAMA_OK) {
        const struct shown shown = {
            .game = dama_record_player_game(player),
            .result = dama_record_player_result(player),
            .shard = &found->shard,
            .index = found->index,
            .remark = "played again, the game is the stored one",
        };
        status = print(a, &shown, err);
    }
    dama_record_player_free(player);
    dama_opening_book_free(book);
    return status;
}

static enum dama_status replay(const struct arguments *a, const struct dama_found_game *found,
                               struct dama_stored_run *run, struct dama_error *err)
{
    DAMA_TRY(dama_stored_run_open(found->folder, run, err));
    return run->is_rescored || run->source == DAMA_SOURCE_IMPORT ? show_rows(a, found, run, err)
                                                                 : play_again(a, found, run, err);
}

int dama_verb_replay(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    if (a.game < 0) {
        dama_fail(&err, DAMA_USAGE, "--game N is missing");
        return dama_verb_fail(&err);
    }
    struct dama_found_game *found = calloc(1, sizeof *found);
    struct dama_stored_run *run = calloc(1, sizeof *run);
    enum dama_status status = found && run ? dama_find_game(a.run, (uint64_t)a.game, found, &err)
                                           : dama_fail(&err, DAMA_MEMORY, "no memory for a run");
    if (status == DAMA_OK) {
        status = replay(&a, found, run, &err);
        dama_shard_free(&found->shard);
    }
    free(found);
    free(run);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
