/* Starting an engine: its parameters, and until it says that it is ready. */
#ifndef DAMA_HUB_START_H
#define DAMA_HUB_START_H

#include "eval/hub_client.h"
#include "eval/process.h"

/* An engine that is ready for positions of the setup's rules. NULL with err set, naming the
   engine. */
struct dama_process *dama_hub_start(const struct dama_hub_client_setup *setup,
                                    struct dama_error *err);

#endif
