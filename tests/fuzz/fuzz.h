/* What the fuzzers share: inputs as text, as a file, and rules chosen by a byte. */
#ifndef DAMA_FUZZ_H
#define DAMA_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "engine/cli/options.h"

/* libFuzzer's entry: one a program. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input ended by a zero byte, freed by the caller. */
char *fuzz_text(const uint8_t *data, size_t size);
/* The name of a file in memory that holds the input; valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* A built-in rule set chosen by a byte. */
const struct dama_rules *fuzz_rules(uint8_t choice);
/* Ends the program, as a finding, when a claim about the parser does not hold. */
void fuzz_claim(bool holds, const char *claim);

#endif
