/* Formatting and reading of text without stdio. */
#include "engine/text.h"

#include <assert.h>
#include <string.h>

static void put(struct dama_text *text, char c)
{
    if (text->length + 1 < text->size) {
        text->at[text->length] = c;
    }
    text->length++;
}

static void put_string(struct dama_text *text, const char *s)
{
    while (*s) {
        put(text, *s++);
    }
}

/* With zeros in front where there are fewer digits than least. */
static void put_unsigned(struct dama_text *text, uint64_t value, unsigned base, int least)
{
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value || count < least);
    while (count) {
        put(text, digits[--count]);
    }
}

static void put_signed(struct dama_text *text, int64_t value)
{
    if (value < 0) {
        put(text, '-');
    }
    put_unsigned(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10, 1);
}

static void finish(struct dama_text *text)
{
    if (text->size) {
        text->at[text->length < text->size ? text->length : text->size - 1] = 0;
    }
}

static void add(struct dama_text *text, const char *format, va_list args)
{
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            put(text, *f);
            continue;
        }
        bool is_long = f[1] == 'l';
        bool is_hash = strncmp(f, "%08x", 4) == 0;
        f += is_long ? 2 : is_hash ? 3 : 1;
        switch (*f) {
        case 's':
            put_string(text, va_arg(args, const char *));
            break;
        case 'c':
            put(text, (char)va_arg(args, int));
            break;
        case 'd':
            put_signed(text, is_long ? (int64_t)va_arg(args, long long) : va_arg(args, int));
            break;
        case 'u':
        case 'x':
            put_unsigned(text, is_long ? va_arg(args, unsigned long long) : va_arg(args, unsigned),
                         *f == 'u' ? 10 : 16, is_hash ? 8 : 1);
            break;
        default:
            assert(*f == '%');
            put(text, '%');
        }
    }
    finish(text);
}

size_t dama_text_vformat(char *out, size_t size, const char *format, va_list args)
{
    struct dama_text text = {.at = out, .size = size};
    add(&text, format, args);
    return text.length;
}

size_t dama_text_format(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t length = dama_text_vformat(out, size, format, args);
    va_end(args);
    return length;
}

void dama_text_add(struct dama_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(text, format, args);
    va_end(args);
}

bool dama_text_fits(const struct dama_text *text)
{
    return text->length < text->size;
}

bool dama_text_read_int(const char **at, int64_t low, int64_t high, int64_t *out)
{
    const char *s = *at;
    bool is_negative = low < 0 && *s == '-';
    s += is_negative;
    if (*s < '0' || *s > '9') {
        return false;
    }
    uint64_t value = 0;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (value > (UINT64_MAX >> 1) / 10 - 1) {
            return false;
        }
        value = value * 10 + (uint64_t)(*s - '0');
    }
    int64_t result = is_negative ? -(int64_t)value : (int64_t)value;
    if (result < low || result > high) {
        return false;
    }
    *out = result;
    *at = s;
    return true;
}
