/* `variants`: the built-in names, one a line. */
#include "engine/cli/verbs.h"

#include <stdio.h>

#include "engine/cli/options.h"
#include "engine/cli/verb.h"

int dama_verb_variants(int argc, char **argv)
{
    static const struct dama_usage usage = {
        .verb = "variants",
        .arguments = "",
        .summary = "Prints the names of the built-in rule sets, one a line.",
        .details = "NAME-free is the house rule on NAME: captures are not obligatory. Other games "
                   "come from a rules file (--rules FILE).",
    };
    dama_options_parse(&usage, argc, argv, NULL);
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        puts(dama_rules_builtin(i)->name);
    }
    return DAMA_EXIT_DONE;
}
