/* The levels: what the file says is what is compiled in, and how a level chooses. */
#include "setting.h"

#include <stdio.h>
#include <string.h>

#include "engine/cli/levels_file.h"

enum { TABLE_KB = 256 };

static const char *const names[] = {"easy", "medium", "hard"};

static dama_move choose(const struct setting *setting, const char *name, uint64_t seed)
{
    const struct dama_level *level = dama_level_find(setting->rules, name);
    assert_non_null(level);
    return dama_level_move(level, setting->searcher, setting->game, seed);
}

static dama_move move_of(int from, int to)
{
    return dama_move_make(dama_square_bit(8, from), dama_square_bit(8, to), 0, false);
}

static void the_compiled_levels_are_those_of_the_file(void **state)
{
    (void)state;
    struct dama_levels levels;
    struct dama_error err = {0};
    if (dama_levels_file_load(DAMA_SOURCE_DIR "/configs/levels.conf", &levels, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    struct dama_rules other = *dama_rules_find("american");
    other.man_captures_backward = true;
    for (int i = 0; i <= DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = i < DAMA_BUILTIN_COUNT ? dama_rules_builtin(i) : &other;
        for (int k = 0; k < 3; k++) {
            const struct dama_level *file = dama_levels_find(&levels, rules, names[k]);
            const struct dama_level *compiled = dama_level_find(rules, names[k]);
            assert_string_equal(file->name, compiled->name);
            assert_true(file->nodes == compiled->nodes);
            assert_int_equal(file->depth, compiled->depth);
            assert_int_equal(file->noise, compiled->noise);
            assert_int_equal(file->margin, compiled->margin);
        }
    }
}

static void levels_grow_in_nodes_and_hard_does_not_err(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        const struct dama_level *easy = dama_level_find(rules, "easy");
        const struct dama_level *medium = dama_level_find(rules, "medium");
        const struct dama_level *hard = dama_level_find(rules, "hard");
        assert_true(easy->nodes < medium->nodes && medium->nodes < hard->nodes);
        assert_true(easy->noise > medium->noise && medium->noise > hard->noise);
        assert_int_equal(hard->noise, 0);
        assert_int_equal(hard->margin, 0);
    }
}

static void an_unknown_level_is_not_found(void **state)
{
    (void)state;
    assert_null(dama_level_find(dama_rules_find("czech"), "harder"));
    assert_null(dama_level_find(dama_rules_find("czech"), ""));
}

/* C045: hard plays one and the same move, easy varies with the seed and repeats itself with it. */
static void c045_hard_is_constant_and_easy_varies(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        struct setting setting = set_up(dama_rules_builtin(i)->name, NULL, TABLE_KB);
        dama_move hard = choose(&setting, "hard", 0);
        dama_move first = choose(&setting, "easy", 0);
        bool varies = false;
        for (uint64_t seed = 0; seed < 20; seed++) {
            if (i == 0) {
                assert_true(choose(&setting, "hard", seed) == hard);
            }
            dama_move easy = choose(&setting, "easy", seed);
            assert_true(choose(&setting, "easy", seed) == easy);
            varies |= easy != first;
        }
        assert_true(varies);
        tear_down(&setting);
    }
}

static void a_level_does_not_depend_on_what_was_searched_before(void **state)
{
    (void)state;
    struct setting setting = set_up("italian", NULL, TABLE_KB);
    struct setting other = set_up("italian", NULL, TABLE_KB);
    struct dama_search_result result;
    dama_searcher_search(other.searcher, other.game, &(struct dama_search_limits){.nodes = 50000},
                         &result);
    for (int k = 0; k < 3; k++) {
        assert_true(choose(&setting, names[k], 5) == choose(&other, names[k], 5));
    }
    tear_down(&setting);
    tear_down(&other);
}

static void one_legal_move_is_played_at_once(void **state)
{
    (void)state;
    struct setting setting = set_up("american", "W:W22,32:B18,1", TABLE_KB);
    for (int k = 0; k < 3; k++) {
        dama_move move = choose(&setting, names[k], 1);
        assert_true(dama_move_is_capture(move));
        assert_int_equal(dama_move_from(move), dama_square_bit(8, 22));
    }
    tear_down(&setting);
}

static void no_legal_move_is_no_move(void **state)
{
    (void)state;
    struct setting setting = set_up("american", "B:W16,19:B12", TABLE_KB);
    for (int k = 0; k < 3; k++) {
        assert_true(choose(&setting, names[k], 1) == DAMA_MOVE_NONE);
    }
    tear_down(&setting);
}

static void every_level_takes_a_win_it_sees(void **state)
{
    (void)state;
    /* The last man has one square, 16: whoever stands there wins at once. */
    struct setting setting = set_up("american", "W:W20,19,K11:B12", TABLE_KB);
    for (int k = 0; k < 3; k++) {
        for (uint64_t seed = 0; seed < 30; seed++) {
            dama_move move = choose(&setting, names[k], seed);
            assert_true(move == move_of(20, 16) || move == move_of(11, 16));
        }
    }
    tear_down(&setting);
}

static void no_level_walks_into_a_loss_it_sees(void **state)
{
    (void)state;
    /* On 18 the last man is taken. */
    struct setting setting = set_up("american", "W:W22:B15,3", TABLE_KB);
    for (int k = 0; k < 3; k++) {
        for (uint64_t seed = 0; seed < 30; seed++) {
            assert_true(choose(&setting, names[k], seed) == move_of(22, 17));
        }
    }
    tear_down(&setting);
}

static void play(const struct setting *setting, int from, int to)
{
    assert_int_equal(dama_game_play(setting->game, move_of(from, to)), DAMA_OK);
}

/* Kings to and fro until one quiet move more is a draw by the site's count of 80 plies. */
static struct setting set_up_before_the_draw(const char *fen)
{
    struct setting setting = set_up("american", fen, TABLE_KB);
    play(&setting, 12, 16);
    for (int ply = 1; ply < 79; ply += 2) {
        bool is_out = ply / 2 % 2 == 0;
        play(&setting, is_out ? 29 : 25, is_out ? 25 : 29);
        play(&setting, is_out ? 16 : 12, is_out ? 12 : 16);
    }
    return setting;
}

/* So much noise that every move is as good as any other. */
static const struct dama_level careless = {
    .name = "careless", .nodes = 60, .noise = 1000, .margin = 1000};

static int count_draws_at_once(const struct setting *setting, const struct dama_level *level)
{
    int draws = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dama_move move = dama_level_move(level, setting->searcher, setting->game, seed);
        draws += dama_game_draws_at_once(setting->game, move);
    }
    return draws;
}

static void no_level_draws_at_once_what_hard_sees_as_won(void **state)
{
    (void)state;
    /* Only the man's crowning goes on. */
    struct setting setting = set_up_before_the_draw("B:W7,K29,K30,K32:BK12");
    assert_false(dama_game_draws_at_once(setting.game, move_of(7, 2) | UINT64_C(1) << 62));
    assert_true(dama_game_draws_at_once(setting.game, move_of(30, 26)));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(count_draws_at_once(&setting, dama_level_find(setting.rules, names[k])),
                         0);
    }
    assert_int_equal(count_draws_at_once(&setting, &careless), 0);
    tear_down(&setting);
}

static void a_level_may_draw_what_is_not_won(void **state)
{
    (void)state;
    struct setting setting = set_up_before_the_draw("B:W7,K29:BK12,K13,10");
    assert_true(count_draws_at_once(&setting, &careless) > 0);
    tear_down(&setting);
}

static void random_plays_every_move_and_repeats_itself_with_its_seed(void **state)
{
    (void)state;
    struct setting setting = set_up("american", NULL, TABLE_KB);
    struct dama_move_list list;
    setting.game->kernel->generate(setting.rules, dama_game_position(setting.game), &list);
    assert_int_equal(list.count, 7);
    int count[7] = {0};
    for (uint64_t seed = 0; seed < 700; seed++) {
        dama_move move = choose(&setting, "random", seed);
        assert_true(choose(&setting, "random", seed) == move);
        for (int i = 0; i < 7; i++) {
            count[i] += list.moves[i] == move;
        }
    }
    /* 100 each is expected; 40 is more than four standard deviations. */
    for (int i = 0; i < 7; i++) {
        assert_in_range(count[i], 60, 140);
    }
    tear_down(&setting);
}

/* Of seven moves one is the best of two plies: it is played in 5/6 + 1/42 of all games. */
static void a_beginner_plays_a_random_move_one_time_in_six(void **state)
{
    (void)state;
    struct setting setting = set_up("american", NULL, TABLE_KB);
    struct dama_search_result best;
    dama_searcher_search(setting.searcher, setting.game, &(struct dama_search_limits){.depth = 2},
                         &best);
    int count = 0;
    for (uint64_t seed = 0; seed < 1260; seed++) {
        dama_move move = choose(&setting, "beginner", seed);
        assert_true(choose(&setting, "beginner", seed) == move);
        count += move == best.best;
    }
    /* 1080 are expected; 50 is four standard deviations. */
    assert_in_range(count, 1030, 1130);
    tear_down(&setting);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void a_wrong_levels_file_is_refused_with_its_line(void **state)
{
    (void)state;
    static const char good[] = "nodes 5 depth 0 noise 1 margin 1";
    static const struct {
        const char *format;
        const char *error;
    } cases[] = {
        {"easy = \"%s\"\nmedium = \"%s\"\n", "level.conf: level 'hard' is missing"},
        {"easy = \"%s\"\neasy = \"%s\"\n", "level.conf:2: 'easy' is written twice"},
        {"easy = \"%s\"\nczech.esy = \"%s\"\n",
         "level.conf:2: unknown key 'czech.esy', the nearest is 'czech.easy'"},
        {"easy = \"nodes 0 depth 0 noise 1 margin 1\"\n",
         "level.conf:1: easy: expected \"nodes 1..1000000000 depth 0..100 noise 0..1000 margin "
         "0..1000\", found \"nodes 0 depth 0 noise 1 margin 1\""},
        {"easy = \"nodes 9 depth 0 noise 1 margin 1 seed 2\"\n",
         "level.conf:1: easy: expected \"nodes 1..1000000000 depth 0..100 noise 0..1000 margin "
         "0..1000\", found \"nodes 9 depth 0 noise 1 margin 1 seed 2\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text, cases[i].format, good, good);
        write_file("level.conf", text);
        struct dama_levels levels;
        struct dama_error err = {0};
        assert_int_equal(dama_levels_file_load("level.conf", &levels, &err), DAMA_INVALID);
        assert_string_equal(err.text, cases[i].error);
    }
    remove("level.conf");
}

static void a_level_of_one_variant_leaves_the_others_alone(void **state)
{
    (void)state;
    write_file("own.conf", "easy = \"nodes 5 depth 1 noise 2 margin 3\"\n"
                           "medium = \"nodes 6 depth 1 noise 2 margin 3\"\n"
                           "hard = \"nodes 7 depth 1 noise 2 margin 3\"\n"
                           "russian-free.medium = \"nodes 8 depth 4 noise 5 margin 6\"\n");
    struct dama_levels levels;
    struct dama_error err = {0};
    assert_int_equal(dama_levels_file_load("own.conf", &levels, &err), DAMA_OK);
    remove("own.conf");
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        bool is_own = strcmp(rules->name, "russian-free") == 0;
        assert_true(dama_levels_find(&levels, rules, "easy")->nodes == 5);
        assert_true(dama_levels_find(&levels, rules, "hard")->nodes == 7);
        const struct dama_level *medium = dama_levels_find(&levels, rules, "medium");
        assert_true(medium->nodes == (is_own ? 8 : 6));
        assert_int_equal(medium->depth, is_own ? 4 : 1);
        assert_int_equal(medium->noise, is_own ? 5 : 2);
        assert_int_equal(medium->margin, is_own ? 6 : 3);
    }
    assert_null(dama_levels_find(&levels, dama_rules_find("russian"), "expert"));
}

/* White has two moves here, neither of which wins or loses. */
static const char two_moves[] = "W:W21,29:B1,2";

/* How often in `seeds` games the move with the lower score is chosen under so much noise. */
static int count_worse_moves(const struct setting *setting, int noise, dama_move worse, int seeds)
{
    const struct dama_level level = {.name = "noisy", .depth = 2, .noise = noise};
    int count = 0;
    for (int seed = 0; seed < seeds; seed++) {
        count += dama_level_move(&level, setting->searcher, setting->game, (uint64_t)seed) == worse;
    }
    return count;
}

/* Each score is shifted by -noise..noise, so that two come closer by 2 * noise at most. By uniform
   shifts a gap of 4/3 noise is turned round in 5.6 % of the choices. */
static void noise_turns_round_gaps_of_less_than_twice_its_size(void **state)
{
    (void)state;
    enum { SEEDS = 400 };
    struct setting setting = set_up("american", two_moves, TABLE_KB);
    struct dama_move_list list;
    int16_t scores[DAMA_MOVES_MAX];
    dama_searcher_score_moves(setting.searcher, setting.game,
                              &(struct dama_search_limits){.depth = 2}, &list, scores);
    assert_int_equal(list.count, 2);
    int gap = scores[0] > scores[1] ? scores[0] - scores[1] : scores[1] - scores[0];
    assert_in_range(gap, 4, 300);
    dama_move worse = list.moves[scores[0] > scores[1]];
    assert_int_equal(count_worse_moves(&setting, (gap - 1) / 2, worse, SEEDS), 0);
    assert_in_range(count_worse_moves(&setting, gap * 3 / 4, worse, SEEDS), 5, SEEDS / 5);
    tear_down(&setting);
}

static void the_same_position_later_is_another_draw(void **state)
{
    (void)state;
    static const struct dama_level any_move = {.name = "any", .random_in = 1};
    struct setting setting = set_up("american", "W:WK30,K22,K21:BK1", TABLE_KB);
    dama_move first[30];
    for (uint64_t seed = 0; seed < 30; seed++) {
        first[seed] = dama_level_move(&any_move, setting.searcher, setting.game, seed);
    }
    play(&setting, 30, 26);
    play(&setting, 1, 6);
    play(&setting, 26, 30);
    play(&setting, 6, 1);
    int differs = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        differs += dama_level_move(&any_move, setting.searcher, setting.game, seed) != first[seed];
    }
    assert_in_range(differs, 15, 30);
    tear_down(&setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_compiled_levels_are_those_of_the_file),
        cmocka_unit_test(levels_grow_in_nodes_and_hard_does_not_err),
        cmocka_unit_test(an_unknown_level_is_not_found),
        cmocka_unit_test(c045_hard_is_constant_and_easy_varies),
        cmocka_unit_test(a_level_does_not_depend_on_what_was_searched_before),
        cmocka_unit_test(one_legal_move_is_played_at_once),
        cmocka_unit_test(no_legal_move_is_no_move),
        cmocka_unit_test(every_level_takes_a_win_it_sees),
        cmocka_unit_test(no_level_walks_into_a_loss_it_sees),
        cmocka_unit_test(no_level_draws_at_once_what_hard_sees_as_won),
        cmocka_unit_test(a_level_may_draw_what_is_not_won),
        cmocka_unit_test(random_plays_every_move_and_repeats_itself_with_its_seed),
        cmocka_unit_test(a_beginner_plays_a_random_move_one_time_in_six),
        cmocka_unit_test(a_wrong_levels_file_is_refused_with_its_line),
        cmocka_unit_test(a_level_of_one_variant_leaves_the_others_alone),
        cmocka_unit_test(noise_turns_round_gaps_of_less_than_twice_its_size),
        cmocka_unit_test(the_same_position_later_is_another_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
