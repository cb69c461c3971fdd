/* Fuzzes the manifest: lines that say too little are left out, and what is taken is in order. */
#include "fuzz.h"

#include "selfplay/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dama_manifest manifest;
    struct dama_error err = {0};
    if (dama_manifest_open(&manifest, fuzz_file(data, size), &err) == DAMA_OK) {
        for (size_t i = 0; i < manifest.count; i++) {
            int64_t block = manifest.blocks[i]->block;
            fuzz_claim(i == 0 || manifest.blocks[i - 1]->block < block, "blocks ascend");
            fuzz_claim(dama_manifest_find(&manifest, block) == manifest.blocks[i],
                       "a block is found by its number");
        }
        dama_manifest_close(&manifest);
    }
    return 0;
}
