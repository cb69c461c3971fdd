/* Fuzzes the JSON twin of a table: what is read is written and read back as the same table. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cli/weights_twin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dama_weights weights, again;
    struct dama_error err = {0};
    char *json = fuzz_text(data, size);
    enum dama_status status = dama_weights_read_json(json, size, &weights, &err);
    free(json);
    if (status != DAMA_OK) {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
        return 0;
    }
    unsigned char bytes[2][DAMA_WEIGHTS_MAX_BYTES];
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fuzz_claim(out != NULL, "there is memory");
    dama_weights_write_json(out, &weights);
    fclose(out);
    fuzz_claim(dama_weights_read_json(text, length, &again, &err) == DAMA_OK,
               "a written twin is read back");
    free(text);
    size_t whole = dama_weights_encode(&weights, bytes[0]);
    fuzz_claim(dama_weights_encode(&again, bytes[1]) == whole && !memcmp(bytes[0], bytes[1], whole),
               "a written twin is the same table");
    return 0;
}
