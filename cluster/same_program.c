/* Comparing the programs of all ranks by what they say of themselves and by their bytes. */
#include "cluster/same_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/shard.h"
#include "engine/cli/options.h"
#include "engine/cli/verb.h"
#include "engine/signature.h"

enum { PROGRAM_BYTES_MAX = 1 << 30, DIGITS = 8 };

static void short_hash(const unsigned char hash[DAMA_HASH_SIZE], char out[2 * DAMA_HASH_SIZE + 1])
{
    dama_hash_hex(hash, out);
    out[DIGITS] = 0;
}

/* The engine's signature knows nothing of how games are recorded, nor do versions change with every
   commit: the file's hash does. Where the system does not show the file it is "unknown". */
void dama_program_describe(char out[DAMA_PROGRAM_TEXT_SIZE])
{
    char features[2 * DAMA_HASH_SIZE + 1], file[2 * DAMA_HASH_SIZE + 1] = "unknown";
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct dama_error ignored = {0};
    if (dama_file_read("/proc/self/exe", PROGRAM_BYTES_MAX, &bytes, &size, &ignored) == DAMA_OK) {
        unsigned char hash[DAMA_HASH_SIZE];
        dama_sha256(bytes, size, hash);
        short_hash(hash, file);
        free(bytes);
    }
    short_hash(dama_features_hash, features);
    memset(out, 0, DAMA_PROGRAM_TEXT_SIZE);
    snprintf(out, DAMA_PROGRAM_TEXT_SIZE, "dama %s, engine %08x, features %s, HDF5 %s, file %s",
             dama_program_version(), DAMA_ENGINE_SIGNATURE, features, dama_shard_library_version(),
             file);
}

enum dama_status dama_same_program(struct dama_error *err)
{
    int ranks = dama_comm_size();
    if (ranks == 1) {
        return DAMA_OK;
    }
    char mine[DAMA_PROGRAM_TEXT_SIZE];
    char(*all)[DAMA_PROGRAM_TEXT_SIZE] = calloc((size_t)ranks, sizeof *all);
    DAMA_TRY(dama_comm_agree(
        all ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %d ranks", ranks), err));
    dama_program_describe(mine);
    dama_comm_all_gather(mine, sizeof mine, all);
    enum dama_status status = DAMA_OK;
    for (int rank = 1; rank < ranks && status == DAMA_OK; rank++) {
        if (strcmp(all[0], all[rank]) != 0) {
            status = dama_fail(err, DAMA_MISMATCH,
                               "the ranks run different programs: rank 0: %s; rank %d: %s: install "
                               "one on all hosts",
                               all[0], rank, all[rank]);
        }
    }
    free(all);
    return status;
}
