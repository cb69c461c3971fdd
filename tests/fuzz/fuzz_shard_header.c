/* Fuzzes a shard's front: the header block, as it comes and behind a true CRC, and whole files,
   which must be refused before libhdf5 sees a byte that nobody has vouched for. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"

enum { CRC_AT = DAMA_SHARD_HEADER_BYTES - 4 };

static void decode(const unsigned char *block)
{
    struct dama_shard_header header;
    struct dama_error err = {0};
    unsigned char again[DAMA_SHARD_HEADER_BYTES];
    if (dama_header_decode(block, &header, &err) == DAMA_OK) {
        dama_header_encode(&header, again);
        fuzz_claim(!memcmp(block, again, sizeof again),
                   "a header that is accepted is written as it was");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char block[DAMA_SHARD_HEADER_BYTES] = {0};
    memcpy(block, data, size < sizeof block ? size : sizeof block);
    decode(block);
    uint32_t crc = dama_crc32(0, block, CRC_AT);
    for (int i = 0; i < 4; i++) {
        block[CRC_AT + i] = (unsigned char)(crc >> 8 * i);
    }
    decode(block);
    struct dama_shard shard = {0};
    struct dama_shard_header header;
    struct dama_error err = {0};
    const char *path = fuzz_file(data, size);
    dama_shard_peek(path, &header, &err);
    /* No input of the fuzzer has a SHA-256 that fits its bytes, but those of the corpus. */
    if (dama_shard_load(path, NULL, &shard, &header, &err) != DAMA_OK) {
        fuzz_claim(shard.rows == 0 && shard.games == 0, "a refused shard is empty");
    }
    dama_shard_free(&shard);
    return 0;
}
