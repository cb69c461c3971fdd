/* Every legal move of the oracle positions through its texts. */
#include "support.h"
#include "move_text.h"

#include <stdio.h>
#include <string.h>

static void check_oracle_line(void *context, char *line, int number)
{
    (void)number;
    const struct dama_rules *rules = context;
    char *fen = strstr(line, "\"fen\":\"") + strlen("\"fen\":\"");
    *strchr(fen, '"') = 0;
    struct dama_position position = grid_position(rules, fen);
    check_move_texts(rules, &position);
}

static void every_move_of_the_oracle_positions_reads_back(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        struct dama_rules rules = *dama_rules_builtin(i);
        char path[128];
        snprintf(path, sizeof path, "moves/moves-%.*s%s.jsonl", (int)strcspn(rules.name, "-"),
                 rules.name, rules.capture_mandatory ? "" : "-nfc");
        for_each_line(path, check_oracle_line, &rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_of_the_oracle_positions_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
