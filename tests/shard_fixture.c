/* A folder with a shard in it, for tests. */
#include "shard_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/temporary.h"
#include "support.h"

int shard_setup(void **state)
{
    struct shard_fixture *f = calloc(1, sizeof *f);
    assert_true(dama_temporary_name("/tmp", "dama-shard", "", f->folder, sizeof f->folder));
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/american-000007.h5", f->folder);
    *state = f;
    return 0;
}

int shard_teardown(void **state)
{
    struct shard_fixture *f = *state;
    unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing else is left behind */
    dama_shard_free(&f->shard);
    dama_shard_free(&f->read);
    free(f);
    return 0;
}

void shard_save(struct shard_fixture *f, int board_size)
{
    struct dama_shard_origin origin = sample_origin(board_size);
    struct dama_error err = {0};
    assert_int_equal(dama_shard_save(f->path, &f->shard, &origin, NULL, &err), DAMA_OK);
}

const char *shard_reason(const struct shard_fixture *f)
{
    size_t length = strlen(f->path);
    assert_memory_equal(f->err.text, f->path, length);
    return f->err.text + length + 2;
}

enum dama_status shard_load(struct shard_fixture *f, const struct dama_shard_origin *expected)
{
    f->err = (struct dama_error){0};
    enum dama_status status = dama_shard_load(f->path, expected, &f->read, NULL, &f->err);
    assert_int_equal(status, f->err.status);
    if (status != DAMA_OK) {
        assert_int_equal(f->read.rows, 0);
        assert_int_equal(f->read.games, 0);
    }
    return status;
}
