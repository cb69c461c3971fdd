/* Statuses and one-line errors. */
#include "engine/error.h"

#include <stdarg.h>
#include <string.h>

#include "engine/text.h"

const char *dama_status_text(enum dama_status status)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_STATUSES(X)
#undef X
    };
    return texts[status];
}

enum dama_status dama_fail(struct dama_error *err, enum dama_status status, const char *format, ...)
{
    if (err && err->status == DAMA_OK) {
        err->status = status;
        va_list args;
        va_start(args, format);
        dama_text_vformat(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

enum dama_status dama_error_prefix(struct dama_error *err, const char *prefix)
{
    struct dama_error whole = {.status = err->status};
    dama_text_format(whole.text, sizeof whole.text, "%s: %s", prefix, err->text);
    *err = whole;
    return err->status;
}
