/* The nearest of some words to a mistyped one. */
#ifndef DAMA_SUGGEST_H
#define DAMA_SUGGEST_H

/* Offer candidates one by one; best is the nearest so far, NULL while none is near enough to be a
   slip of the fingers. Start with {.word = word}. */
struct dama_suggestion {
    const char *word;
    const char *best;
    int distance;
};
void dama_suggest(struct dama_suggestion *suggestion, const char *candidate);

#endif
