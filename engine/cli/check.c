/* Tells configuration files apart by their keys, and validates them. */
#include "engine/cli/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/options.h"
#include "engine/cli/verb.h"

enum { FILE_MAX_BYTES = 1 << 20, ABOUT_SIZE = 256 };

static bool has_key(const struct dama_check_kind *kind, const char *word, size_t length)
{
    for (const char *const *key = kind->keys; *key; key++) {
        if (strlen(*key) == length && memcmp(*key, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Lines that begin with a key of this kind. */
static int count_lines(const struct dama_check_kind *kind, const char *text)
{
    int count = 0;
    while (*text) {
        const char *word = text + strspn(text, " \t");
        count += has_key(kind, word, strcspn(word, " \t\r\n=+{\""));
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return count;
}

static const struct dama_check_kind *find_kind(const struct dama_check_kind *const *const lists[],
                                               const char *text)
{
    const struct dama_check_kind *best = NULL;
    int most = 0;
    for (int i = 0; lists[i]; i++) {
        for (int k = 0; lists[i][k]; k++) {
            int count = count_lines(lists[i][k], text);
            if (count > most) {
                most = count;
                best = lists[i][k];
            }
        }
    }
    return best;
}

static void name_kinds(const struct dama_check_kind *const *const lists[], char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (int i = 0; lists[i]; i++) {
        for (int k = 0; lists[i][k] && length < size; k++) {
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "",
                                       lists[i][k]->name);
        }
    }
}

static enum dama_status check_file(const struct dama_check_kind *const *const lists[],
                                   const char *path, struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, FILE_MAX_BYTES, &bytes, &size, err));
    char *text = strndup((const char *)bytes, size);
    free(bytes);
    if (!text) {
        return dama_fail(err, DAMA_MEMORY, "%s: out of memory", path);
    }
    const struct dama_check_kind *kind = find_kind(lists, text);
    free(text);
    if (!kind) {
        char names[ABOUT_SIZE];
        name_kinds(lists, names, sizeof names);
        return dama_fail(err, DAMA_INVALID, "%s: expected one of: %s; found a key of none", path,
                         names);
    }
    char about[ABOUT_SIZE] = "";
    DAMA_TRY(kind->check(path, about, sizeof about, err));
    printf("%s: %s, %s\n", path, kind->name, about);
    return DAMA_OK;
}

int dama_check_files(const struct dama_check_kind *const *const lists[], int count,
                     const char *const paths[])
{
    int status = DAMA_EXIT_DONE;
    for (int i = 0; i < count; i++) {
        struct dama_error err = {0};
        if (check_file(lists, paths[i], &err) != DAMA_OK) {
            status = dama_verb_fail(&err);
        }
    }
    return status;
}
