/* Names for files that are made and soon removed. */
#include "engine/cli/temporary.h"

#include <stdio.h>
#include <string.h>

bool dama_temporary_name(const char *folder, const char *name, const char *ending, char *out,
                         size_t size)
{
    char letters[7] = "";
    memset(letters, 'X', sizeof letters - 1);
    int length = snprintf(out, size, "%s/%s-%s%s", folder, name, letters, ending);
    return length >= 0 && (size_t)length < size;
}
