/* Counting what is different among many, by sorting it. */
#include "engine/cli/distinct.h"

#include <stdlib.h>

static int compare_words(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

size_t dama_count_distinct(uint64_t *words, size_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(words, count, sizeof *words, compare_words);
    size_t distinct = 1;
    for (size_t i = 1; i < count; i++) {
        distinct += words[i] != words[i - 1];
    }
    return distinct;
}
