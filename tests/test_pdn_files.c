/* Real games of every variant: each file replays as tests/data/pdn/expected.tsv says, and every
   game is written and read back unchanged. */
#include "support.h"
#include "pdn_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 9, FAILURES_SIZE = 512 };

/* What was found in a file, in the columns of expected.tsv behind the variant. */
struct found {
    int games;
    int plies;
    int results[4]; /* white, black, drawn, unknown */
    char failures[FAILURES_SIZE];
};

static void count_result(struct found *found, enum dama_pdn_result result)
{
    static const int column[] = {[DAMA_PDN_BLACK_WON + 1] = 1,
                                 [DAMA_PDN_DRAWN + 1] = 2,
                                 [DAMA_PDN_WHITE_WON + 1] = 0,
                                 [DAMA_PDN_UNKNOWN + 1] = 3};
    assert_int_not_equal(result, DAMA_PDN_NONE);
    found->results[column[result + 1]]++;
}

/* "game:ply:token:legal moves". */
static void add_failure(struct found *found, const struct dama_rules *rules,
                        const struct dama_pdn_game *game, const struct dama_pdn_replay *replay)
{
    struct dama_text text = {.at = found->failures, .size = FAILURES_SIZE};
    struct dama_move_list legal;
    char token[64];
    text.length = strlen(found->failures);
    dama_pdn_unescape(game->tokens[replay->failed_token].text, token, sizeof token);
    dama_text_add(&text, "%s%d:%d:%s:", text.length ? ";" : "", game->number, replay->count + 1,
                  token);
    dama_kernel_find(rules)->generate(rules, &replay->final, &legal);
    for (int i = 0; i < legal.count; i++) {
        char move[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules, DAMA_SQUARES_OFFICIAL, &replay->final, legal.moves[i], move);
        dama_text_add(&text, i ? " %s" : "%s", move);
    }
    assert_true(dama_text_fits(&text));
}

/* Writes the game as it stands, with the names that it was read with. */
static void write_again(const struct dama_rules *rules, const struct dama_pdn_game *game,
                        const struct dama_pdn_replay *replay)
{
    enum dama_pdn_result result = dama_pdn_game_result(rules, game);
    bool is_known = result != DAMA_PDN_UNKNOWN;
    struct dama_game_state state = {.termination =
                                        is_known ? DAMA_END_ADJUDICATED : DAMA_END_ONGOING,
                                    .result = is_known ? (int)result : 0};
    const struct dama_pdn_pair tags[] = {{"White", "A \"x\" \\ B"}, {"Black", "\xC3\xA9"}};
    struct dama_game *rebuilt = rebuild_game(rules, replay);
    check_written(rebuilt, state, tags, 2);
    dama_game_free(rebuilt);
}

static struct found read_file(const struct dama_rules *rules, const char *name)
{
    char path[128];
    size_t size;
    struct found found = {.games = 0};
    struct dama_pdn_game game = {.number = 0};
    struct dama_pdn_replay replay = {.count = 0};
    snprintf(path, sizeof path, "pdn/%s", name);
    char *text = load_file(path, &size);
    struct dama_pdn_reader reader = dama_pdn_open(name, text, size);
    while (dama_pdn_next(&reader, &game)) {
        struct dama_error err = {0};
        assert_string_equal(game.error.text, "");
        if (dama_pdn_replay(&game, rules, DAMA_SQUARES_OFFICIAL, &replay, &err) != DAMA_OK) {
            add_failure(&found, rules, &game, &replay);
        }
        found.games++;
        found.plies += replay.count;
        count_result(&found, dama_pdn_game_result(rules, &game));
        write_again(rules, &game, &replay);
    }
    free(text);
    dama_pdn_game_free(&game);
    dama_pdn_replay_free(&replay);
    return found;
}

static void check_line(void *context, char *line, int number)
{
    char expected[1024], found[1024], *fields[FIELDS];
    (void)context;
    if (number == 1) {
        assert_int_equal(*line, '#');
        return;
    }
    snprintf(expected, sizeof expected, "%s", line);
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = strsep(&line, "\t");
        assert_non_null(fields[i]);
    }
    struct found file = read_file(dama_rules_find(fields[1]), fields[0]);
    snprintf(found, sizeof found, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s", fields[0], fields[1],
             file.games, file.plies, file.results[0], file.results[1], file.results[2],
             file.results[3], file.failures[0] ? file.failures : "-");
    assert_string_equal(found, expected);
}

static void c030_every_file_replays_as_counted_and_is_written_back(void **state)
{
    (void)state;
    for_each_line("pdn/expected.tsv", check_line, NULL);
}

static int count_crosses_of_quiet_moves(const struct dama_pdn_game *game,
                                        const struct dama_pdn_replay *replay)
{
    int count = 0;
    for (int i = 0; i < replay->count; i++) {
        struct dama_pdn_text token = game->tokens[replay->plies[i].token].text;
        count +=
            !dama_move_is_capture(replay->plies[i].move) && memchr(token.at, 'x', token.length);
    }
    return count;
}

static void c030_quiet_moves_written_as_captures_are_read(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("american");
    struct dama_pdn_game game = {.number = 0};
    struct dama_pdn_replay replay = {.count = 0};
    size_t size;
    int count = 0;
    char *text = load_file("pdn/american-games.pdn", &size);
    struct dama_pdn_reader reader = dama_pdn_open("american-games.pdn", text, size);
    while (dama_pdn_next(&reader, &game)) {
        dama_pdn_replay(&game, rules, DAMA_SQUARES_OFFICIAL, &replay, NULL);
        count += count_crosses_of_quiet_moves(&game, &replay);
    }
    /* Counted by the distance of rows in tokens of two squares. */
    assert_int_equal(count, 954);
    free(text);
    dama_pdn_game_free(&game);
    dama_pdn_replay_free(&replay);
}

static void c029_a_game_with_a_team_score_replays_128_plies(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_pdn_game game = {.number = 0};
    struct dama_pdn_replay replay = {.count = 0};
    size_t size;
    char *text = load_file("pdn/international-delft.pdn", &size);
    struct dama_pdn_reader reader = dama_pdn_open("international-delft.pdn", text, size);
    assert_true(dama_pdn_next(&reader, &game));
    assert_int_equal(dama_pdn_replay(&game, rules, DAMA_SQUARES_OFFICIAL, &replay, NULL), DAMA_OK);
    assert_int_equal(replay.count, 128);
    assert_string_equal(game.note.text,
                        "international-delft.pdn:26: game 1: unknown result text '4-6'");
    assert_true(dama_pdn_next(&reader, &game));
    free(text);
    dama_pdn_game_free(&game);
    dama_pdn_replay_free(&replay);
}

static void c031_the_seventh_schildpad_game_goes_on(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_pdn_game game = {.number = 0};
    struct dama_pdn_replay replay = {.count = 0};
    size_t size;
    char *text = load_file("pdn/international-schildpad.pdn", &size);
    struct dama_pdn_reader reader = dama_pdn_open("schildpad", text, size);
    while (game.number < 7) {
        assert_true(dama_pdn_next(&reader, &game));
    }
    assert_int_equal(dama_pdn_replay(&game, rules, DAMA_SQUARES_OFFICIAL, &replay, NULL), DAMA_OK);
    int place = -1;
    for (int i = 0; i < game.token_count; i++) {
        place = dama_pdn_text_is(game.tokens[i].text, "4x24") ? i : place;
    }
    assert_true(place >= 0);
    char move[DAMA_MOVE_TEXT_SIZE];
    dama_move_format(rules, DAMA_SQUARES_OFFICIAL, &replay.plies[place].position,
                     replay.plies[place].move, move);
    assert_string_equal(move, "4x31x42x24");
    free(text);
    dama_pdn_game_free(&game);
    dama_pdn_replay_free(&replay);
}

/* Reads a text whatever it holds: to its end, with no more plies than tokens. */
static void read_anything(const struct dama_rules *rules, const char *text, size_t size)
{
    struct dama_pdn_game game = {.number = 0};
    struct dama_pdn_replay replay = {.count = 0};
    struct dama_pdn_reader reader = dama_pdn_open("damaged", text, size);
    while (dama_pdn_next(&reader, &game)) {
        struct dama_error err = {0};
        enum dama_status status =
            dama_pdn_replay(&game, rules, DAMA_SQUARES_OFFICIAL, &replay, &err);
        assert_int_equal(status == DAMA_OK, err.text[0] == 0);
        assert_true(replay.count <= game.token_count);
    }
    assert_ptr_equal(reader.at, text + size);
    dama_pdn_game_free(&game);
    dama_pdn_replay_free(&replay);
}

static void damaged_bytes_are_read_to_the_end(void **state)
{
    (void)state;
    static const char bytes[] = "[]{}()\"/*.%;-x:1 \n\r\x80";
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_rng rng = dama_rng_make(3, DAMA_RNG_TEST, 0);
    size_t size;
    char *text = load_file("pdn/international-delft.pdn", &size);
    for (int i = 0; i < 200; i++) {
        char *damaged = malloc(size);
        assert_non_null(damaged);
        memcpy(damaged, text, size);
        for (int j = 0; j < 1 + i / 20; j++) {
            uint32_t place = dama_rng_below(&rng, (uint32_t)size);
            /* The zero byte behind the string is one of the choices. */
            damaged[place] = bytes[dama_rng_below(&rng, sizeof bytes)];
        }
        read_anything(rules, damaged, size);
        free(damaged);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c030_every_file_replays_as_counted_and_is_written_back),
        cmocka_unit_test(c030_quiet_moves_written_as_captures_are_read),
        cmocka_unit_test(c029_a_game_with_a_team_score_replays_128_plies),
        cmocka_unit_test(c031_the_seventh_schildpad_game_goes_on),
        cmocka_unit_test(damaged_bytes_are_read_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
