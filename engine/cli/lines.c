/* A buffer of bytes read with poll, and lines taken from its front. */
#include "engine/cli/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

void dama_lines_init(struct dama_lines *lines, int descriptor)
{
    lines->descriptor = descriptor;
    lines->is_ended = false;
    lines->is_dropping = false;
    lines->start = 0;
    lines->end = 0;
}

/* The line from start to `end`; the next one begins at `next`. */
static char *take(struct dama_lines *lines, size_t end, size_t next)
{
    char *line = lines->bytes + lines->start;
    lines->bytes[end] = 0;
    if (end > lines->start && lines->bytes[end - 1] == '\r') {
        lines->bytes[end - 1] = 0;
    }
    lines->start = next;
    return line;
}

static bool take_line(struct dama_lines *lines, char **line)
{
    char *feed = memchr(lines->bytes + lines->start, '\n', lines->end - lines->start);
    if (feed) {
        size_t end = (size_t)(feed - lines->bytes);
        *line = take(lines, end, end + 1);
    }
    return feed != NULL;
}

/* The rest of a line that was too long is no line of its own. */
static void drop_rest(struct dama_lines *lines)
{
    char *feed = memchr(lines->bytes + lines->start, '\n', lines->end - lines->start);
    lines->is_dropping = feed == NULL;
    lines->start = feed ? (size_t)(feed - lines->bytes) + 1 : lines->end;
}

/* Makes room behind what is not yet given out; one byte stays free for the zero of the last line.
 */
static size_t make_room(struct dama_lines *lines)
{
    memmove(lines->bytes, lines->bytes + lines->start, lines->end - lines->start);
    lines->end -= lines->start;
    lines->start = 0;
    return sizeof lines->bytes - 1 - lines->end;
}

/* Reads once what is there; false when nothing came before the deadline. */
static bool read_more(struct dama_lines *lines, int wait_ms, int64_t deadline)
{
    int64_t left = wait_ms > 0 ? deadline - now_ms() : wait_ms;
    struct pollfd wanted = {.fd = lines->descriptor, .events = POLLIN};
    int ready = poll(&wanted, 1, wait_ms > 0 && left < 0 ? 0 : (int)left);
    if (ready < 0) {
        lines->is_ended = errno != EINTR;
        return true;
    }
    if (ready == 0) {
        return false;
    }
    ssize_t got =
        read(lines->descriptor, lines->bytes + lines->end, sizeof lines->bytes - 1 - lines->end);
    if (got > 0) {
        lines->end += (size_t)got;
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        lines->is_ended = true;
    }
    return true;
}

enum dama_lines_state dama_lines_next(struct dama_lines *lines, int wait_ms, char **line)
{
    int64_t deadline = wait_ms > 0 ? now_ms() + wait_ms : 0;
    for (;;) {
        if (lines->is_dropping) {
            drop_rest(lines);
        }
        if (take_line(lines, line)) {
            return DAMA_LINES_LINE;
        }
        if (lines->is_ended && lines->start < lines->end) {
            *line = take(lines, lines->end, lines->end);
            return DAMA_LINES_LINE;
        }
        if (lines->is_ended) {
            return DAMA_LINES_END;
        }
        if (make_room(lines) == 0) {
            lines->end = 0;
            lines->is_dropping = true;
            return DAMA_LINES_LONG;
        }
        if (!read_more(lines, wait_ms, deadline)) {
            return DAMA_LINES_NONE;
        }
    }
}

bool dama_lines_is_hung_up(const struct dama_lines *lines)
{
    struct pollfd wanted = {.fd = lines->descriptor, .events = 0};
    return lines->is_ended || (poll(&wanted, 1, 0) > 0 && wanted.revents & (POLLHUP | POLLERR));
}
