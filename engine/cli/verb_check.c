/* `check`: tells rules and levels files apart and validates them. */
#include "engine/cli/verbs.h"

#include <stddef.h>

#include "engine/cli/check.h"
#include "engine/cli/options.h"

const struct dama_check_kind *const dama_engine_check_kinds[] = {&dama_rules_file_kind,
                                                                 &dama_levels_file_kind, NULL};

int dama_verb_check(int argc, char **argv)
{
    static const struct dama_usage usage = {
        .verb = "check",
        .arguments = "FILE...",
        .summary = "Tells what kind of configuration file each FILE is and validates it.",
        .details = "Every wrong file is a line with file, line and reason; the exit status is 1 "
                   "then.",
        .least = 1,
        .most = DAMA_TEXTS_MAX,
    };
    struct dama_texts files;
    dama_options_parse(&usage, argc, argv, &files);
    const struct dama_check_kind *const *const lists[] = {dama_engine_check_kinds, NULL};
    return dama_check_files(lists, files.count, files.at);
}
