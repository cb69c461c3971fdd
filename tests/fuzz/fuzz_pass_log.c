/* Fuzzes the passes of a fit: a file of any bytes gives back what was added, or nothing. */
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/rules.h"
#include "tuner/pass_log.h"

enum { PASSES = 3, SUMS_MAX = 5 };

/* What a fit asks and finds: these inputs, questions and sums. */
static const unsigned char inputs[DAMA_HASH_SIZE] = {1, 2, 3};

static int sums_of(int pass, uint64_t sums[SUMS_MAX])
{
    int count = 1 + 2 * pass;
    for (int i = 0; i < count; i++) {
        sums[i] = 1000u * (unsigned)pass + (unsigned)i;
    }
    return count;
}

/* One start over what is in the file; how many passes it went on behind. */
static int start(const char *path)
{
    struct dama_pass_log *log;
    struct dama_error err = {0};
    fuzz_claim(dama_pass_log_open(&log, path, inputs, &err) == DAMA_OK, "no other fit is there");
    bool was_known = true;
    for (int pass = 0; pass < PASSES; pass++) {
        unsigned char question[DAMA_HASH_SIZE] = {(unsigned char)pass};
        uint64_t sums[SUMS_MAX], found[SUMS_MAX];
        int count = sums_of(pass, sums);
        bool is_known = dama_pass_log_recall(log, question, found, count);
        fuzz_claim(was_known || !is_known, "no pass is known behind one that is not");
        if (!is_known) {
            dama_pass_log_add(log, question, sums, count);
        }
        was_known = is_known;
    }
    int recalled = dama_pass_log_recalled(log);
    dama_pass_log_close(log);
    return recalled;
}

static bool is_of_a_fit(const uint8_t *data, size_t size)
{
    static const char magic[8] = "DamaFit";
    return memcmp(data, magic, size < sizeof magic ? size : sizeof magic) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    start(path);
    int recalled = start(path);
    uint8_t *kept = malloc(size + 1);
    int file = open(path, O_RDONLY);
    fuzz_claim(kept && file >= 0, "the file can be read");
    ssize_t got = read(file, kept, size + 1);
    close(file);
    if (size == 0 || is_of_a_fit(data, size)) {
        fuzz_claim(recalled == PASSES, "what was added is there at the next start");
    } else {
        fuzz_claim(recalled == 0 && got == (ssize_t)size && memcmp(kept, data, size) == 0,
                   "what no fit has made stays as it is");
    }
    free(kept);
    return 0;
}
