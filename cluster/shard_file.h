/* Inside of the shard module: the header block, the columns, and what HDF5 says when it fails. */
#ifndef DAMA_SHARD_FILE_H
#define DAMA_SHARD_FILE_H

#include <hdf5.h>
#include <stdbool.h>

#include "cluster/shard.h"

/* One dataset of a table: a field of the record, as a column. */
struct dama_column {
    const char *path; /* "/positions/score" */
    size_t offset;    /* in the record */
    int size;         /* bytes in the record */
    bool is_signed;
    bool is_set; /* a set of squares: 4 bytes in the file on 8x8 */
    const char *description;
    const char *units;
};
/* A group of datasets of one length. */
struct dama_table {
    const char *group;
    size_t record_size;
    int count;
    const struct dama_column *columns;
};
extern const struct dama_table dama_row_table;
extern const struct dama_table dama_game_table;

/* Bytes of a value in a file, and of a record's values in all columns. */
int dama_column_width(const struct dama_column *column, int board_size);
size_t dama_table_width(const struct dama_table *table, int board_size);
/* Types of a column's values of so many bytes in memory, and of those in a file; constants of the
   library, not to be closed. */
hid_t dama_column_memory_type(const struct dama_column *column, int width);
hid_t dama_column_file_type(const struct dama_column *column, int board_size);
/* From records to a dense column of `count` values of the record's width. */
void dama_column_gather(const struct dama_table *table, const struct dama_column *column,
                        const void *records, size_t count, void *out);
/* From dense columns of the file's widths, one behind the other, to `count` records. */
void dama_table_scatter(const struct dama_table *table, int board_size, const void *values,
                        size_t count, void *records);

/* A name for files in memory: HDF5 refuses one that exists on the disk. */
#define DAMA_HDF5_MEMORY_NAME "/dev/null/shard"

/* Why HDF5 first failed since dama_hdf5_begin. */
struct dama_hdf5_reason {
    char text[80];
};
/* Around all use of HDF5: one thread at a time, others wait. Ends HDF5's own printing; a first
   failure is kept in *reason. */
void dama_hdf5_begin(struct dama_hdf5_reason *reason);
void dama_hdf5_end(void);
/* Fills err: "PATH: HDF5 cannot WHAT: REASON". */
enum dama_status dama_hdf5_fail(struct dama_error *err, const char *path, const char *what,
                                const struct dama_hdf5_reason *reason);

/* Groups, empty datasets with their attributes, and root attributes. Fixed: `counts` records for
   ever; else datasets that can grow. */
struct dama_table_sizes {
    size_t rows, games;
    bool can_grow;
};
bool dama_hdf5_create(hid_t file, const struct dama_shard_origin *origin,
                      const struct dama_table_sizes *sizes);
/* The root attributes; out->request is the caller's to free, after a failure too. */
enum dama_status dama_hdf5_read_facts(hid_t file, const char *path, struct dama_shard_facts *out,
                                      struct dama_error *err);
/* DAMA_MISMATCH names the first fact that is not as expected, with both values. */
enum dama_status dama_facts_compare(const char *path, const struct dama_shard_origin *expected,
                                    const struct dama_shard_facts *found, struct dama_error *err);
/* Creation list of a file without time stamps; user_block bytes are left free in front. */
hid_t dama_hdf5_file_list(hsize_t user_block);
/* Writes `count` records of a table into rows first...; the datasets are long enough. */
bool dama_hdf5_write(hid_t file, const struct dama_table *table, const void *records, size_t first,
                     size_t count);
/* Men of a side at the start by an origin. */
int dama_origin_men(const struct dama_shard_origin *origin);

/* The 512 bytes in front; the CRC in the last four is set by encode and checked by decode. */
void dama_header_encode(const struct dama_shard_header *header,
                        unsigned char out[DAMA_SHARD_HEADER_BYTES]);
enum dama_status dama_header_decode(const unsigned char *bytes, struct dama_shard_header *out,
                                    struct dama_error *err);

/* Content of a loaded shard: order of games, rows in range, sets that can be a position. */
enum dama_status dama_shard_check(const struct dama_shard *shard, struct dama_error *err);

#endif
