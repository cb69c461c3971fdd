/* Text without stdio: the library formats and reads numbers with this alone, on every platform. */
#ifndef DAMA_TEXT_H
#define DAMA_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Like snprintf for %s %c %d %u %x %08x %% and the 64-bit %ld %lu %lx (long long unsigned for %lu
   %lx), with no other widths. Always ends the text with a zero byte; returns the length the whole
   text would have. */
size_t dama_text_format(char *out, size_t size, const char *format, ...);
size_t dama_text_vformat(char *out, size_t size, const char *format, va_list args);

/* A text that grows in a caller's buffer; more than fits is counted, not written. Start with
   {.at = buffer, .size = sizeof buffer}; length is what the whole text needs. */
struct dama_text {
    char *at;
    size_t size;
    size_t length;
};
void dama_text_add(struct dama_text *text, const char *format, ...);
bool dama_text_fits(const struct dama_text *text);

/* Reads a decimal integer of [low, high] that starts at *at and moves *at behind it; false, with
 *at kept, when there is no digit or it is out of range. A leading minus is read when low < 0. */
bool dama_text_read_int(const char **at, int64_t low, int64_t high, int64_t *out);

#endif
