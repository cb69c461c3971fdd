/* Statuses and one-line errors. */
#include "engine/error.h"

#include <stdarg.h>
#include <string.h>

#include "engine/text.h"

/* Two paths of the longest kind and the words around them. */
enum { LONGEST = 9000 };

/* A text that is too long loses its middle: its first words say where, its last ones why. */
static void set_text(struct dama_error *err, const char *text, size_t length)
{
    static const char gap[] = " ... ";
    const size_t room = sizeof err->text - 1, head = room / 2;
    if (length <= room) {
        memcpy(err->text, text, length + 1);
        return;
    }
    size_t tail = room - head - (sizeof gap - 1);
    memcpy(err->text, text, head);
    memcpy(err->text + head, gap, sizeof gap - 1);
    memcpy(err->text + room - tail, text + length - tail, tail + 1);
}

enum dama_status dama_fail(struct dama_error *err, enum dama_status status, const char *format, ...)
{
    if (err && err->status == DAMA_OK) {
        char text[LONGEST];
        err->status = status;
        va_list args;
        va_start(args, format);
        dama_text_vformat(text, sizeof text, format, args);
        va_end(args);
        set_text(err, text, strlen(text));
    }
    return status;
}

enum dama_status dama_error_prefix(struct dama_error *err, const char *prefix)
{
    char text[LONGEST];
    dama_text_format(text, sizeof text, "%s: %s", prefix, err->text);
    set_text(err, text, strlen(text));
    return err->status;
}
