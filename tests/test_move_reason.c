/* Tests of the reasons that play gives for a move that is not legal. */
#include "engine/cli/move_reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/fen.h"

static const struct {
    const char *variant;
    const char *fen;
    const char *move;
    const char *reason;
} cases[] = {
    {"american", "B:W22,23:B9,18", "9-13", "capturing is obligatory"},
    {"american", "B:W22:B9,18", "9-13", "capturing is obligatory, the only legal move is 18x25"},
    {"american", "B:W22:B9", "22-17", "the piece on 22 is not Black's"},
    {"american", "B:W22:B9", "1-5", "there is no piece on 1"},
    {"american", "B:W22:B9,13", "9-13", "there is a piece on 13 already"},
    {"american", "B:W22:B9", "9-99", "99 is no square of this board"},
    {"american", "B:W22:B9", "9", "a move is two squares or more"},
    {"american", "B:W22:B9", "9-18", "the piece cannot go there"},
    {"american", "B:W22:B9", "9-5", "the piece cannot go there"},
    {"american", "B:W22:BK1", "1-10", "a king goes one square at a time"},
    {"american", "W:W15:BK10,18", "15x22",
     "a man may not capture backward, the only legal move is 15x6"},
    {"american", "W:W22:B9,18,10", "22x15", "the capture goes on: 22x15x6"},
    /* FID 5.3 and 6.6-6.9, the last from C012. */
    {"italian", "W:W21:BK18", "21x14",
     "a man may not capture a king, the only legal move is 21-17"},
    {"italian", "W:W21,24,32:B20,18,10", "24x15",
     "the capture of the most pieces is obligatory, the only legal move is 21x14x5"},
    {"italian", "W:W24,K21:B20,18", "24x15",
     "the king must capture rather than the man, the only legal move is 21x14"},
    /* C015: ČFD, capture by a king before capture by a man. */
    {"czech", "B:Wb6:Bc7,Kc5,e3", "c7xa5",
     "a king that can capture must do so, the only legal move is c5xa7"},
    /* C018: FPD 3.7.e, of equal count the capture of more kings. */
    {"spanish", "W:WK14:BK18,19", "14x23", "the capture of the most kings is obligatory"},
    /* C002: from some landing squares the capture goes on. */
    {"russian", "B:Wh6,b4,f4,e3,b2,f2,a1:Bb8,f8,h8,e7,g7,d6,f6,Ka5,c5", "a5xd2",
     "the king must land where its capture goes on"},
    {"russian", "W:Wc3:Bd4", "c3-b4", "capturing is obligatory, the only legal move is c3:e5"},
    {"international", "W:W27,31:B22,21,12,1", "27x16",
     "the capture of the most pieces is obligatory, the only legal move is 27x18x7"},
    /* The house rule: quiet moves are free, a capture once begun is not. */
    {"american-free", "W:W22:B9,18,10", "22x15", "the capture goes on: 22x15x6"},
};

static void every_case_is_told_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct dama_rules *rules = dama_rules_find(cases[i].variant);
        struct dama_position position;
        struct dama_error err = {0};
        dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, cases[i].fen, &position, &err);
        assert_string_equal(err.text, "");
        dama_move move;
        assert_int_not_equal(
            dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, &position, cases[i].move, &move, &err),
            DAMA_OK);
        char reason[DAMA_REASON_SIZE];
        dama_move_reason(rules, DAMA_SQUARES_OFFICIAL, &position, cases[i].move, reason);
        assert_string_equal(reason, cases[i].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case_is_told_its_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
