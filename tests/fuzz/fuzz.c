/* Inputs of the fuzzers in the form that parsers take them. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_claim(bool holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "claim does not hold: %s\n", claim);
        abort();
    }
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_claim(text != NULL, "there is memory");
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = 0;
    return text;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[32];
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    bool is_written = ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size;
    fuzz_claim(is_written, "a file in memory can be written");
    return path;
}

const struct dama_rules *fuzz_rules(uint8_t choice)
{
    return dama_rules_builtin(choice % DAMA_BUILTIN_COUNT);
}
