/* Looks into RUN/gen-NNN until there is no further one. */
#include "cluster/run_generations.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool has_file(const char *run, int generation, const char *name, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/gen-%03d/%s", run, generation, name) < PATH_MAX &&
           access(path, F_OK) == 0;
}

struct dama_generations dama_run_generations(const char *run)
{
    struct dama_generations found = {.best = -1};
    char path[PATH_MAX];
    for (int g = 0; has_file(run, g, "", path); g++) {
        found.begun++;
        found.fitted += has_file(run, g, "weights.dama", path);
        if (has_file(run, g, "match.json", path)) {
            json_t *match = json_load_file(path, 0, NULL);
            bool is_promoted = json_is_true(json_object_get(match, "promoted"));
            json_decref(match);
            found.judged++;
            found.promoted += is_promoted;
            found.best = is_promoted ? g : found.best;
        }
    }
    return found;
}
