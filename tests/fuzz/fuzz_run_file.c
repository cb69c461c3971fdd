/* Fuzzes run files: what is read is written and read back as itself. */
#include "fuzz.h"

#include <string.h>

#include "cluster/run_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { TEXT_SIZE = 4096 };
    struct dama_run_config config, again;
    struct dama_error err = {0};
    dama_run_config_default(&config);
    if (dama_run_config_load(&config, fuzz_file(data, size), &err) != DAMA_OK) {
        fuzz_claim(err.text[0] && !strchr(err.text, '\n'), "a refusal is one line");
        return 0;
    }
    char text[TEXT_SIZE], text_again[TEXT_SIZE];
    size_t length = dama_run_config_format(&config, DAMA_BINDS_NOTHING, text, sizeof text);
    fuzz_claim(length < sizeof text, "the text of a run fits");
    dama_run_config_default(&again);
    fuzz_claim(dama_run_config_load(&again, fuzz_file((const uint8_t *)text, length), &err) ==
                   DAMA_OK,
               "a written run is read back");
    dama_run_config_format(&again, DAMA_BINDS_NOTHING, text_again, sizeof text_again);
    fuzz_claim(!strcmp(text, text_again), "a written run is read back as itself");
    dama_run_config_check(&config, fuzz_rules((uint8_t)size), &err);
    return 0;
}
