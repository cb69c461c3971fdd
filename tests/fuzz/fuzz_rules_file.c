/* Fuzzes rules files: rules that are accepted have moves that can be generated and played. */
#include "fuzz.h"

#include <string.h>

#include "engine/position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { PLIES = 8 };
    struct dama_ruleset ruleset;
    struct dama_error err = {0};
    if (dama_rules_file_load(fuzz_file(data, size), &ruleset, &err) != DAMA_OK) {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
        return 0;
    }
    struct dama_position position = dama_position_start(&ruleset.rules);
    fuzz_claim(dama_position_check(&ruleset.rules, &position, NULL) == DAMA_OK,
               "rules that are accepted have a start position");
    for (int ply = 0; ply < PLIES; ply++) {
        struct dama_move_list list;
        ruleset.kernel->generate(&ruleset.rules, &position, &list);
        if (list.count == 0) {
            break;
        }
        position = ruleset.kernel->make(&ruleset.rules, &position, list.moves[list.count / 2]);
    }
    return 0;
}
