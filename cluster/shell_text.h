/* Words and commands for people to paste into a shell. */
#ifndef DAMA_SHELL_TEXT_H
#define DAMA_SHELL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* text as one word of a shell, quoted only when it needs that; the word is UTF-8 even when text is
   not. False, and an empty out, when it
   does not fit: half a word would mean something else. */
bool dama_shell_word(const char *text, char *out, size_t size);

/* The command that started this process, to be given again from any folder; behind the
   launcher of its ranks (dama_comm_launcher; empty for one process). False when it does not fit. */
bool dama_shell_own_command(const char *launcher, char *out, size_t size);

#endif
