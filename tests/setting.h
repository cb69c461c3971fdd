/* A game and a searcher of a built-in rule set, with the hand-set weights. */
#ifndef DAMA_TESTS_SETTING_H
#define DAMA_TESTS_SETTING_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "engine/search.h"

struct setting {
    const struct dama_rules *rules;
    struct dama_game *game; /* by the default draw rules */
    struct dama_searcher *searcher;
};

/* From a FEN in official squares, NULL for the start; fails the test without memory. */
struct setting set_up(const char *variant, const char *fen, size_t table_kb);
void tear_down(struct setting *setting);

struct dama_search_result search(const struct setting *setting,
                                 const struct dama_search_limits *limits);

/* Every move of the principal variation is legal, and the first is the best one. */
void assert_line_is_legal(const struct setting *setting, const struct dama_search_result *result);
/* Move, score, depth, nodes and line are the same. */
void assert_same_result(const struct dama_search_result *a, const struct dama_search_result *b);

#endif
