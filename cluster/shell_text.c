/* Quoting, and the command line of this process. */
#include "cluster/shell_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    return *text && text[strspn(text, plain)] == 0;
}

bool dama_shell_word(const char *text, char *out, size_t size)
{
    size_t length = 0;
    const char *quote = is_plain(text) ? "" : "'";
    length += (size_t)snprintf(out, size, "%s", quote);
    for (const char *at = text; *at && length < size; at++) {
        length += (size_t)(*at == '\'' ? snprintf(out + length, size - length, "'\\''")
                                       : snprintf(out + length, size - length, "%c", *at));
    }
    if (length < size) {
        length += (size_t)snprintf(out + length, size - length, "%s", quote);
    }
    if (length >= size) {
        out[0] = 0;
        return false;
    }
    return true;
}

/* Appends a blank and a word. */
static bool add_word(const char *text, char *out, size_t size)
{
    size_t length = strlen(out);
    if (length + 2 > size) {
        return false;
    }
    out[length] = ' ';
    return dama_shell_word(text, out + length + 1, size - length - 1);
}

bool dama_shell_own_command(int ranks, char *out, size_t size)
{
    char folder[PATH_MAX];
    char *word = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/cmdline", "re");
    snprintf(out, size, "cd");
    bool is_whole = file && getcwd(folder, sizeof folder) && add_word(folder, out, size);
    size_t length = strlen(out);
    if (is_whole) {
        int added = ranks > 1 ? snprintf(out + length, size - length, " && mpirun -np %d", ranks)
                              : snprintf(out + length, size - length, " &&");
        is_whole = (size_t)added < size - length;
    }
    while (is_whole && getdelim(&word, &room, 0, file) > 0) {
        is_whole = add_word(word, out, size);
    }
    free(word);
    if (file) {
        fclose(file);
    }
    return is_whole;
}
