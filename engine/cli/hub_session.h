/* A conversation in the Hub protocol, our side: the state between two lines. */
#ifndef DAMA_HUB_SESSION_H
#define DAMA_HUB_SESSION_H

#include "engine/cli/hub_board.h"
#include "engine/cli/hub_line.h"
#include "engine/cli/hub_params.h"
#include "engine/cli/lines.h"
#include "engine/cli/options.h"
#include "engine/search.h"

/* What `level` has asked for; a zero is not asked for. Nothing at all means until `stop`. */
struct dama_hub_limits {
    int depth;
    uint64_t nodes;
    double move_time; /* seconds */
    bool has_clock;
    double time, increment; /* seconds on the clock, and for each move */
    int moves;              /* to the next time control; 0: none */
};

enum dama_hub_mode { DAMA_HUB_THINK, DAMA_HUB_PONDER, DAMA_HUB_ANALYZE };

struct dama_hub_session {
    struct dama_lines lines;
    FILE *out;
    const char *rules_file; /* NULL: the variant of the parameters */
    struct dama_hub_params params;
    bool is_ready;   /* `init` was answered by `ready` */
    bool is_changed; /* a parameter was set since it was last applied */
    bool is_over;    /* `quit`, or the input has ended */
    /* What the parameters give. */
    struct dama_ruleset ruleset;
    struct dama_hub_board board;
    struct dama_searcher *searcher;
    struct dama_game *game; /* the position that `pos` has set */
    bool has_position;
    struct dama_hub_limits limits;
    bool is_limits_old; /* a `pos` came after the last `level`, so that the next begins anew */
    char *pending;      /* a line that came during a search and waits for its end */
};

/* Reads commands from the descriptor until `quit` or the end of the input; returns an exit status.
   params has the values that `hub` declares. rules_file: play by these rules whatever the variant
   parameter says; NULL: by the parameter. */
int dama_hub_run(const struct dama_hub_params *params, const char *rules_file, int input,
                 FILE *out);

/* `go`: searches the session's position under its limits and answers `done`. */
void dama_hub_search(struct dama_hub_session *session, enum dama_hub_mode mode);

/* Answers with `error message="..."`. */
void dama_hub_error(struct dama_hub_session *session, const char *text);

#endif
