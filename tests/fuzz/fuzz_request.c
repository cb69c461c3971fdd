/* Fuzzes stored requests: a text is equal to itself, and its lines can be read in any state. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "selfplay/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= DAMA_REQUEST_SIZE) {
        return 0;
    }
    char *text = fuzz_text(data, size);
    char key[DAMA_REQUEST_VALUE_SIZE], value[DAMA_REQUEST_VALUE_SIZE];
    struct dama_error err = {0};
    size_t lines = 0;
    for (const char *at = text; (at = dama_request_next(at, key, value));) {
        fuzz_claim(at > text && at <= text + size, "a line ends within the text");
        fuzz_claim(++lines <= size, "every line has a byte");
    }
    dama_request_compare(text, "variant = american\nseed = 1\n", &err);
    if (err.status != DAMA_OK) {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
    }
    free(text);
    return 0;
}
