/* The report on a run: one self-contained HTML file, or the same figures as plain text. */
#ifndef DAMA_REPORT_H
#define DAMA_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/error.h"

/* `run` is the folder of a training, of one of its generations (gen-NNN), or of a self-play run.
   What is not there yet is left out of the report and said. Every shard is verified and read once.
   Not collective: one process calls it; no lock is taken, so a run may be going on. */

/* Writes the HTML file, complete or not at all. DAMA_UNSUPPORTED when gnuplot is not there, before
   anything is read. */
enum dama_status dama_report_write(const char *run, const char *out_path, struct dama_error *err);
/* Plain text; needs no gnuplot. */
enum dama_status dama_report_print(const char *run, FILE *out, struct dama_error *err);

#endif
