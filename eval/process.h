/* A program that we start and talk to over its standard input and output, and that never outlives
   us. */
#ifndef DAMA_PROCESS_H
#define DAMA_PROCESS_H

#include "engine/cli/lines.h"
#include "engine/error.h"

struct dama_process;

/* Starts argv (ended by NULL, argv[0] found by PATH, no shell) in `folder` (NULL: this one). It and
   all it starts are one process group of their own without our descriptors; its error output goes
   nowhere. A guard process kills the group when the program ends, or when the thread that called
   this ends in whatever way, with the whole process or alone. From now on the process ignores
   SIGPIPE. NULL with err set. */
struct dama_process *dama_process_start(char *const argv[], const char *folder,
                                        struct dama_error *err);
/* Kills the whole group and waits for its end; its input is closed first and it has wait_ms to end
   by itself. NULL is allowed. */
void dama_process_end(struct dama_process *process, int wait_ms);

/* Writes the text; false when the program has not taken all of it within wait_ms or is gone. */
bool dama_process_send(struct dama_process *process, const char *text, int wait_ms);
/* As dama_lines_next. */
enum dama_lines_state dama_process_next(struct dama_process *process, int wait_ms, char **line);

#endif
