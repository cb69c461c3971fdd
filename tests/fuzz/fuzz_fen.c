/* Fuzzes FEN: what is read is a possible position, and is written and read back as itself. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    /* The first byte, a letter in the corpus, chooses the rules and the numbering. */
    const struct dama_rules *rules = fuzz_rules(data[0]);
    enum dama_squares squares = data[0] & 32 ? DAMA_SQUARES_OFFICIAL : DAMA_SQUARES_GRID;
    char *text = fuzz_text(data + 1, size - 1);
    struct dama_position position, again;
    struct dama_error err = {0};
    if (dama_fen_parse(rules, squares, text, &position, &err) == DAMA_OK) {
        char written[DAMA_FEN_SIZE];
        fuzz_claim(dama_position_check(rules, &position, NULL) == DAMA_OK,
                   "a FEN that is read is a possible position");
        dama_fen_format(rules, squares, &position, written);
        fuzz_claim(dama_fen_parse(rules, squares, written, &again, &err) == DAMA_OK &&
                       dama_position_equal(&position, &again),
                   "a written FEN is read back");
    } else {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
    }
    free(text);
    return 0;
}
