/* Writes sample shards into a folder and what they hold as text beside them, for test_h5py.py.
   usage: write_shards FOLDER */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shard_sample.h"

enum { PATH_SIZE = 512, GAMES = 24, BLOCK = 3, ONE_SECOND_US = 1100000 };

static FILE *open_text(const char *folder, const char *name, const char *ending)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

/* A line of names, then a line a record. */
static void write_text(const struct dama_shard *shard, const char *folder, const char *name)
{
    FILE *file = open_text(folder, name, ".rows.txt");
    fprintf(file, "white_men white_kings black_men black_kings side_to_move score result from to "
                  "captured ply game flags\n");
    for (size_t i = 0; i < shard->rows; i++) {
        const struct dama_row *r = &shard->row[i];
        fprintf(file,
                "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %d %d %d %" PRIu64
                " %d %" PRIu32 " %d\n",
                r->white_men, r->white_kings, r->black_men, r->black_kings, r->side_to_move,
                r->score, r->result, r->from, r->to, r->captured, r->ply, r->game, r->flags);
    }
    fclose(file);
    file = open_text(folder, name, ".games.txt");
    fprintf(file, "id first_row rows plies result termination opening seed\n");
    for (size_t i = 0; i < shard->games; i++) {
        const struct dama_game_row *g = &shard->game[i];
        fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu32 " %d %d %d %" PRIu64 " %" PRIu64 "\n",
                g->id, g->first_row, g->rows, g->plies, g->result, g->termination, g->opening,
                g->seed);
    }
    fclose(file);
}

static void check(enum dama_status status, const struct dama_error *err)
{
    if (status != DAMA_OK) {
        fprintf(stderr, "%s\n", err->text);
        exit(1);
    }
}

static void write_shard(const char *folder, const char *name, int board_size, int games)
{
    struct dama_shard shard = {0};
    struct dama_shard_origin origin = sample_origin(board_size);
    struct dama_error err = {0};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.h5", folder, name);
    sample_shard(&shard, board_size, BLOCK, games);
    check(dama_shard_save(path, &shard, &origin, NULL, &err), &err);
    write_text(&shard, folder, name);
    dama_shard_free(&shard);
}

static void write_merged(const char *folder)
{
    struct dama_shard_origin origin = sample_origin(8);
    struct dama_error err = {0};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/merged.h5", folder);
    struct dama_shard_merge *merge = dama_shard_merge_new(path, &origin, &err);
    check(merge ? DAMA_OK : err.status, &err);
    struct dama_shard all = {0};
    for (uint64_t block = 0; block < 3; block++) {
        struct dama_shard shard = {0};
        sample_shard(&shard, 8, block, GAMES);
        check(dama_shard_merge_add(merge, &shard, &err), &err);
        size_t first_row = all.rows;
        size_t first_game = all.games;
        for (size_t i = 0; i < shard.games; i++) {
            shard.game[i].first_row += first_row;
            check(dama_shard_add_game(&all, &shard.game[i], &err), &err);
        }
        for (size_t i = 0; i < shard.rows; i++) {
            shard.row[i].game += (uint32_t)first_game;
            check(dama_shard_add_row(&all, &shard.row[i], &err), &err);
        }
        dama_shard_free(&shard);
    }
    check(dama_shard_merge_end(merge, true, &err), &err);
    write_text(&all, folder, "merged");
    dama_shard_free(&all);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: write_shards FOLDER\n");
        return 2;
    }
    write_shard(argv[1], "small", 8, GAMES);
    write_shard(argv[1], "large_board", 10, GAMES);
    write_shard(argv[1], "empty", 8, 0);
    write_shard(argv[1], "chunks", 8, 12000);
    write_merged(argv[1]);
    usleep(ONE_SECOND_US);
    write_shard(argv[1], "small_later", 8, GAMES);
    return 0;
}
