/* Build-time tool: prints a C file with the SHA-256 of the canonical texts that tables and shards
   are bound to, so that the engine itself computes none. */
#include <nettle/sha2.h>
#include <stdio.h>

#include "engine/features.h"
#include "engine/rules.h"

enum { TEXT_SIZE = 16384 };

static void print_hash(const char *text, size_t length, const char *end)
{
    struct sha256_ctx context;
    unsigned char hash[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, length, (const uint8_t *)text);
    sha256_digest(&context, sizeof hash, hash);
    printf("{");
    for (size_t i = 0; i < sizeof hash; i++) {
        printf("0x%02x,", hash[i]);
    }
    printf("}%s\n", end);
}

int main(void)
{
    static char text[TEXT_SIZE];
    printf("/* SHA-256 of canonical texts, made by the build. */\n"
           "#include \"engine/build_hashes.h\"\n"
           "#include \"engine/features.h\"\n\n"
           "const unsigned char dama_builtin_hashes[DAMA_BUILTIN_COUNT][DAMA_HASH_SIZE] = {\n");
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        size_t length = dama_rules_format(dama_rules_builtin(i), text, sizeof text);
        if (length >= sizeof text) {
            fprintf(stderr, "build_hashes: rules text of %zu bytes, expected less than %zu\n",
                    length, sizeof text);
            return 1;
        }
        print_hash(text, length, ",");
    }
    size_t length = dama_features_format(text, sizeof text);
    if (length >= sizeof text) {
        fprintf(stderr, "build_hashes: features text of %zu bytes, expected less than %zu\n",
                length, sizeof text);
        return 1;
    }
    printf("};\n\nconst unsigned char dama_features_hash[32] = ");
    print_hash(text, length, ";");
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
