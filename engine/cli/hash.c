/* SHA-256 by nettle, and hashes as hexadecimal text. */
#include "engine/cli/options.h"

#include <nettle/sha2.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

void dama_sha256(const void *bytes, size_t size, unsigned char out[DAMA_HASH_SIZE])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, size, bytes);
    sha256_digest(&context, DAMA_HASH_SIZE, out);
}

void dama_hash_hex(const unsigned char hash[DAMA_HASH_SIZE], char out[2 * DAMA_HASH_SIZE + 1])
{
    for (int i = 0; i < DAMA_HASH_SIZE; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[2 * DAMA_HASH_SIZE] = '\0';
}

bool dama_hash_parse(const char *hex, unsigned char out[DAMA_HASH_SIZE])
{
    if (strlen(hex) != 2 * DAMA_HASH_SIZE || strspn(hex, digits) != 2 * DAMA_HASH_SIZE) {
        return false;
    }
    for (int i = 0; i < DAMA_HASH_SIZE; i++) {
        long high = strchr(digits, hex[2 * i]) - digits;
        long low = strchr(digits, hex[2 * i + 1]) - digits;
        out[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}
