/* The finished passes of a fit in a file: a fit that was stopped or killed goes on behind them and
   ends in the same bytes, since everything else follows from the sums of its passes. */
#ifndef DAMA_PASS_LOG_H
#define DAMA_PASS_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/error.h"
#include "engine/rules.h"

/* The file: a header with a hash of all inputs, then a record for each pass, in order: the hash of
   its question, its sums, and a CRC-32 of both, in the machine's own byte order. Only rank 0 has
   it; on the other ranks a log is empty. */
struct dama_pass_log;

/* Makes or opens the file and locks it. One that belongs to other inputs is begun anew, and the log
   says so. Where there can be no file, or is one that no fit has made, the fit goes on without one,
   after a warning. DAMA_BUSY: another fit holds it. *out is freed by dama_pass_log_close. */
enum dama_status dama_pass_log_open(struct dama_pass_log **out, const char *path,
                                    const unsigned char inputs[DAMA_HASH_SIZE],
                                    struct dama_error *err);
/* NULL is allowed. The file stays. */
void dama_pass_log_close(struct dama_pass_log *log);
/* Leaves what no fit has made. */
void dama_pass_log_remove(const char *path);

/* True when the next record answers this question: sums are then filled. Else it and all behind it
   are cut off (a record that a kill has cut short, or a damaged one), and passes are added from
   here on. */
bool dama_pass_log_recall(struct dama_pass_log *log, const unsigned char question[DAMA_HASH_SIZE],
                          uint64_t *sums, int count);
/* A pass that cannot be written ends the file there, after a warning. */
void dama_pass_log_add(struct dama_pass_log *log, const unsigned char question[DAMA_HASH_SIZE],
                       const uint64_t *sums, int count);
/* Passes that were recalled so far; 0 for NULL, and on ranks that are not 0. */
int dama_pass_log_recalled(const struct dama_pass_log *log);

#endif
