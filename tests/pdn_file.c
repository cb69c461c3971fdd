/* Shared by the tests of PDN; see pdn_file.h. */
#include "support.h"
#include "pdn_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1 << 16 };

char *load_file(const char *path, size_t *size)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", DAMA_TEST_DATA, path);
    FILE *file = fopen(name, "rb");
    if (!file) {
        fail_msg("cannot open %s", name);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *size, file), *size);
    fclose(file);
    return text;
}

struct dama_game *rebuild_game(const struct dama_rules *rules, const struct dama_pdn_replay *replay)
{
    assert_false(replay->is_broken);
    const struct dama_position *start = replay->count ? &replay->plies[0].position : &replay->final;
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), start);
    assert_non_null(game);
    for (int i = 0; i < replay->count; i++) {
        assert_true(dama_position_equal(dama_game_position(game), &replay->plies[i].position));
        assert_int_equal(dama_game_play(game, replay->plies[i].move), DAMA_OK);
    }
    assert_true(dama_position_equal(dama_game_position(game), &replay->final));
    return game;
}

/* Equal in the start, every position and every move. */
static void assert_same_game(const struct dama_game *a, const struct dama_game *b)
{
    assert_int_equal(a->ply, b->ply);
    for (int i = 0; i <= a->ply; i++) {
        assert_true(dama_position_equal(&a->plies[i].position, &b->plies[i].position));
        assert_true(i == a->ply || a->plies[i].move == b->plies[i].move);
    }
}

static void assert_narrow(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        assert_true(*line == '[' || strcspn(line, "\n") <= 80);
    }
}

void check_written(const struct dama_game *game, struct dama_game_state state,
                   const struct dama_pdn_pair *tags, int tag_count)
{
    static char first[TEXT_SIZE], second[TEXT_SIZE];
    struct dama_text text = {.at = first, .size = sizeof first};
    struct dama_pdn_game read = {.number = 0};
    struct dama_pdn_replay replay = {.count = 0};
    struct dama_error err = {0};
    const struct dama_rules *rules;
    dama_pdn_write(&text, game, state, tags, tag_count);
    assert_true(dama_text_fits(&text));
    assert_narrow(first);
    struct dama_pdn_reader reader = dama_pdn_open("written", first, strlen(first));
    assert_true(dama_pdn_next(&reader, &read));
    assert_string_equal(read.error.text, "");
    assert_string_equal(read.note.text, "");
    if (dama_pdn_rules(&read, NULL, &rules, &err) != DAMA_OK ||
        dama_pdn_replay(&read, rules, DAMA_SQUARES_OFFICIAL, &replay, &err) != DAMA_OK) {
        fail_msg("%s in\n%s", err.text, first);
    }
    assert_ptr_equal(rules, game->rules);
    struct dama_game *again = rebuild_game(rules, &replay);
    assert_same_game(again, game);
    assert_int_equal(dama_pdn_game_result(rules, &read),
                     state.termination == DAMA_END_ONGOING ? DAMA_PDN_NONE : state.result);
    text = (struct dama_text){.at = second, .size = sizeof second};
    dama_pdn_write(&text, again, state, tags, tag_count);
    assert_string_equal(second, first);
    assert_false(dama_pdn_next(&reader, &read));
    dama_game_free(again);
    dama_pdn_game_free(&read);
    dama_pdn_replay_free(&replay);
}
