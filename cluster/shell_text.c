/* Quoting, and the command line of this process. */
#include "cluster/shell_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/json.h"

static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    return *text && text[strspn(text, plain)] == 0;
}

/* One character between single quotes, as snprintf; a byte that no text has, and that a log in JSON
   could not keep, as what a shell makes it of. */
static int put_character(const char *at, int bytes, char *out, size_t size)
{
    if (bytes == 0) {
        return snprintf(out, size, "'\"$(printf '\\%03o')\"'", (unsigned char)*at);
    }
    return *at == '\'' ? snprintf(out, size, "'\\''") : snprintf(out, size, "%.*s", bytes, at);
}

bool dama_shell_word(const char *text, char *out, size_t size)
{
    const char *quote = is_plain(text) ? "" : "'";
    size_t length = (size_t)snprintf(out, size, "%s", quote);
    for (const char *at = text; *at && length < size;) {
        int bytes = dama_utf8_length(at);
        length += (size_t)put_character(at, bytes, out + length, size - length);
        at += bytes > 0 ? bytes : 1;
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

bool dama_shell_own_command(const char *launcher, char *out, size_t size)
{
    char folder[PATH_MAX];
    char *word = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/cmdline", "re");
    snprintf(out, size, "cd");
    bool is_whole = file && getcwd(folder, sizeof folder) && add_word(folder, out, size);
    size_t length = strlen(out);
    if (is_whole) {
        int added =
            snprintf(out + length, size - length, " &&%s%s", *launcher ? " " : "", launcher);
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
