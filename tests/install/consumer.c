/* Uses an installed libdama: perft, a table by name, and a search on two threads. */
#include <stdio.h>

#include <engine/parallel_search.h>
#include <engine/tables/tables.h>

int main(void)
{
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_position position = dama_position_start(rules);
    unsigned long long nodes = dama_kernel_find(rules)->perft_count(rules, &position, 5);
    struct dama_weights weights;
    dama_weights_hand_set(rules, &weights);
    size_t size = 0;
    const unsigned char *table = dama_tables_find(rules->name, &size);
    struct dama_error err = {0};
    struct dama_searcher *searcher = dama_searcher_new(rules, &weights, 1024, &err);
    struct dama_game *game = dama_game_new(rules, DAMA_DRAWS_FEDERATION, NULL);
    struct dama_search_limits limits = {.depth = 4};
    struct dama_search_result result = {0};
    dama_searcher_search_parallel(searcher, 2, game, &limits, &result, &err);
    printf("%llu %d %d\n", nodes, result.depth, (table == NULL) == (size == 0));
    dama_game_free(game);
    dama_searcher_free(searcher);
    return 0;
}
