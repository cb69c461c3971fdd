/* Levels files: configs/levels.conf and those of a site that wants its own. */
#ifndef DAMA_LEVELS_FILE_H
#define DAMA_LEVELS_FILE_H

#include "engine/level.h"

enum { DAMA_LEVEL_NAMES = 3, DAMA_LEVEL_ROWS = DAMA_LEVEL_NAMES * (DAMA_BUILTIN_COUNT + 1) };

/* The levels of a file. Row 3 * (1 + built-in) + level is that of a built-in variant, row `level`
   the default; nodes 0 marks a row that the file does not have. */
struct dama_levels {
    struct dama_level rows[DAMA_LEVEL_ROWS];
};

/* Every level of DAMA_LEVELS needs a default. Errors are "path:line: what was expected and found".
 */
enum dama_status dama_levels_file_load(const char *path, struct dama_levels *out,
                                       struct dama_error *err);
/* As dama_level_find, but of the file. */
const struct dama_level *dama_levels_find(const struct dama_levels *levels,
                                          const struct dama_rules *rules, const char *name);

#endif
