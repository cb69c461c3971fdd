/* Fuzzes weight tables: as they come, and behind a true CRC; what is accepted is written as it was.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/weights.h"

enum { CRC_SIZE = 4 };

static void decode(const unsigned char *bytes, size_t size)
{
    char variant[DAMA_NAME_SIZE];
    struct dama_error err = {0};
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    if (dama_weights_peek(bytes, size, variant, &err) != DAMA_OK ||
        dama_ruleset_builtin(variant, &ruleset, &err) != DAMA_OK ||
        dama_weights_decode(&ruleset.rules, ruleset.hash, bytes, size, &weights, &err) != DAMA_OK) {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
        return;
    }
    unsigned char again[DAMA_WEIGHTS_MAX_BYTES];
    size_t length = dama_weights_encode(&weights, again);
    fuzz_claim(length == size && !memcmp(again, bytes, size),
               "a table that is accepted is written as it was");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    decode(data, size);
    if (size > CRC_SIZE) {
        unsigned char *bytes = (unsigned char *)fuzz_text(data, size);
        uint32_t crc = dama_crc32(0, bytes, size - CRC_SIZE);
        for (int i = 0; i < CRC_SIZE; i++) {
            bytes[size - CRC_SIZE + (size_t)i] = (unsigned char)(crc >> 8 * i);
        }
        decode(bytes, size);
        free(bytes);
    }
    return 0;
}
