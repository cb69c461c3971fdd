/* Fuzzes levels files: what is accepted has every level for every variant. */
#include "fuzz.h"

#include <string.h>

#include "engine/cli/levels_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dama_levels levels;
    struct dama_error err = {0};
    if (dama_levels_file_load(fuzz_file(data, size), &levels, &err) != DAMA_OK) {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
        return 0;
    }
    const struct dama_level *level = dama_levels_find(&levels, fuzz_rules((uint8_t)size), "hard");
    fuzz_claim(level && level->nodes > 0, "an accepted file has the level hard");
    return 0;
}
