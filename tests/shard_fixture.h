/* A folder with a shard in it, for tests. */
#ifndef DAMA_SHARD_FIXTURE_H
#define DAMA_SHARD_FIXTURE_H

#include "shard_sample.h"

enum { SAMPLE_GAMES = 20, SAMPLE_BLOCK = 7 };

/* A folder of its own, a shard to write and one to read. */
struct shard_fixture {
    char folder[64];
    char path[128];
    struct dama_shard shard;
    struct dama_shard read;
    struct dama_error err;
};
int shard_setup(void **state);
int shard_teardown(void **state); /* the folder must hold nothing but the shard */
/* Saves f->shard with the sample's origin. */
void shard_save(struct shard_fixture *f, int board_size);
/* Loads into f->read and f->err; a shard that is refused must be left empty. */
enum dama_status shard_load(struct shard_fixture *f, const struct dama_shard_origin *expected);
/* The error's text behind the file's name, which must come first. */
const char *shard_reason(const struct shard_fixture *f);

#endif
