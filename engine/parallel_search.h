/* Analysis on several cores: threads that search the same position over one shared table. */
#ifndef DAMA_PARALLEL_SEARCH_H
#define DAMA_PARALLEL_SEARCH_H

#include "engine/search.h"

enum { DAMA_SEARCH_THREADS_MAX = 256 };

/* As dama_searcher_search, with threads - 1 helpers that share the searcher's table. A node limit
   is divided among the threads and stays exact. limits.stop and limits.report are called by the
   first thread alone, nodes being those of all. With more than one thread results vary from run to
   run. Built without OpenMP it is the search of one thread. Fails with DAMA_INVALID (threads) or
   DAMA_MEMORY. */
enum dama_status dama_searcher_search_parallel(struct dama_searcher *searcher, int threads,
                                               const struct dama_game *game,
                                               const struct dama_search_limits *limits,
                                               struct dama_search_result *result,
                                               struct dama_error *err);

#endif
