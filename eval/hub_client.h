/* An external engine as a player: started, spoken to over Hub, ended and started again. */
#ifndef DAMA_HUB_CLIENT_H
#define DAMA_HUB_CLIENT_H

#include <stdatomic.h>

#include "engine/cli/options.h"
#include "engine/game.h"
#include "eval/engine_spec.h"

/* What a player can do wrong; each is a lost game. The numbers are stored with a match's games. */
#define DAMA_FAULTS(X)                                                    \
    X(NONE, "no fault")                                                   \
    X(START, "did not start") /* again, in the middle of a match */       \
    X(CRASH, "crashed")       /* ended, or closed its output */           \
    X(HANG, "hung")           /* no answer in time; killed */             \
    X(TIME, "lost on time")   /* answered, but too late */                \
    X(ILLEGAL, "illegal move")                                            \
    X(PROTOCOL, "protocol error") /* an answer that cannot be understood, \
                                     or `error` */
enum dama_fault {
#define X(name, text) DAMA_FAULT_##name,
    DAMA_FAULTS(X)
#undef X
        DAMA_FAULT_COUNT
};
const char *dama_fault_text(enum dama_fault fault);

/* What an engine is told, and how patient we are. */
struct dama_hub_client_setup {
    const struct dama_engine_spec *spec;
    const struct dama_ruleset *ruleset;
    enum dama_draw_rules draws;
    size_t table_kb;
    int patience_ms; /* for a start, and for a move without a limit of time or beyond it */
};

/* Limits of one move; 0: none. */
struct dama_hub_client_limits {
    uint64_t nodes;
    int depth;
    double move_time;       /* seconds */
    bool has_clock;         /* then time and increment, in seconds */
    double time, increment; /* left on the clock before this move, and got with each move */
    double allowed;         /* seconds after which the move is too late; 0: only patience ends */
};

struct dama_hub_answer {
    dama_move move; /* DAMA_MOVE_NONE with a fault, or when stopped */
    enum dama_fault fault;
    double seconds;
    struct dama_error why; /* of the fault */
};

/* One engine, of the thread that made it. */
struct dama_hub_client;
/* Starts the engine and speaks to it until it is ready; NULL with err set when it cannot play. An
   engine with a parameter variant is told the variant; one without plays International, unless the
   spec sets variant itself. engine:PATH is told the table's size and the draw rules too. */
struct dama_hub_client *dama_hub_client_new(const struct dama_hub_client_setup *setup,
                                            struct dama_error *err);
/* Asks the engine to quit, kills what does not. NULL is allowed. */
void dama_hub_client_free(struct dama_hub_client *client);

/* The next position belongs to another game. An engine that was killed is started again by the next
   move. */
void dama_hub_client_new_game(struct dama_hub_client *client);
/* The engine's move in the game's present position. Returns within 100 ms when *stop is seen. After
   a fault the game is lost; the engine is stopped or killed. */
void dama_hub_client_move(struct dama_hub_client *client, const struct dama_game *game,
                          const struct dama_hub_client_limits *limits, const atomic_bool *stop,
                          struct dama_hub_answer *answer);

#endif
