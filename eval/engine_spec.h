/* An engine outside this program, as the command line names it. */
#ifndef DAMA_ENGINE_SPEC_H
#define DAMA_ENGINE_SPEC_H

#include <stdbool.h>

#include "engine/cli/hub_line.h"
#include "engine/error.h"

enum { DAMA_SPEC_SIZE = 2048, DAMA_SPEC_WORDS_MAX = 32, DAMA_SPEC_PARAMS_MAX = 32 };

/* Fields point into storage: not to be copied. */
struct dama_engine_spec {
    const char *text; /* as it was given */
    bool is_own;      /* engine:PATH, another build of dama-engine */
    char *argv[DAMA_SPEC_WORDS_MAX + 1];
    const char *folder; /* where it runs; NULL: here */
    int param_count;
    struct dama_hub_pair params[DAMA_SPEC_PARAMS_MAX];
    char storage[DAMA_SPEC_SIZE];
};

/* Whether a player's text names an engine: "hub:" or "engine:". */
bool dama_engine_spec_matches(const char *text);
/* Reads "hub:COMMAND;name=value;..." or "engine:PATH;name=value;...". COMMAND is split at blanks,
   quotes ' and " keep blanks, and no shell sees it. Each name is a Hub parameter; dir is where the
   engine runs. engine:PATH runs `PATH hub`, with --rules when rules_file is not NULL. The text and
   rules_file must outlive the spec. */
enum dama_status dama_engine_spec_parse(const char *text, const char *rules_file,
                                        struct dama_engine_spec *out, struct dama_error *err);

#endif
