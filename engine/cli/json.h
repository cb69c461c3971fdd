/* JSON text, written piece by piece. */
#ifndef DAMA_JSON_H
#define DAMA_JSON_H

#include <stdio.h>

/* Bytes of the UTF-8 character at text, 0 when there is none: no overlong forms, no surrogates. */
int dama_utf8_length(const char *text);

/* A string with its quotes; what is not UTF-8 becomes the replacement character U+FFFD. */
void dama_json_string(FILE *out, const char *text);

#endif
