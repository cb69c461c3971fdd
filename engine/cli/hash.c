/* SHA-256 by nettle, and hashes as hexadecimal text. */
#include "engine/cli/options.h"

#include <nettle/sha2.h>

void dama_sha256(const void *bytes, size_t size, unsigned char out[DAMA_HASH_SIZE])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, size, bytes);
    sha256_digest(&context, DAMA_HASH_SIZE, out);
}

void dama_hash_hex(const unsigned char hash[DAMA_HASH_SIZE], char out[2 * DAMA_HASH_SIZE + 1])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < DAMA_HASH_SIZE; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[2 * DAMA_HASH_SIZE] = '\0';
}
