/* Nearest word by the number of letters to insert, remove or replace. */
#include "engine/cli/suggest.h"

#include <string.h>

enum { WORD_MAX = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance, one row at a time; words are shorter than WORD_MAX. */
static int distance(const char *a, const char *b)
{
    int row[WORD_MAX + 1];
    int length = (int)strlen(b);
    for (int j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int replace = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replace, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[length];
}

void dama_suggest(struct dama_suggestion *suggestion, const char *candidate)
{
    size_t length = strlen(suggestion->word);
    if (length >= WORD_MAX || strlen(candidate) >= WORD_MAX) {
        return;
    }
    int found = distance(suggestion->word, candidate);
    /* A third of the letters wrong is no slip any more. */
    int limit = 1 + (int)length / 3;
    if (found <= limit && (!suggestion->best || found < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = found;
    }
}
