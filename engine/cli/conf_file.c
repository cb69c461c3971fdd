/* Strict reading of flat configuration files on top of libconfuse. */
#include "engine/cli/conf_file.h"

#include <confuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/options.h"
#include "engine/cli/suggest.h"

enum { FILE_MAX_BYTES = 1 << 20, KEYS_MAX = 128 };

/* libconfuse hands no context to its callbacks. All keys are "simple" options whose text it stores
   in values[]; the first of them leads back to the reader, of which it is the first member. */
struct reader {
    char *values[KEYS_MAX];
    bool is_seen[KEYS_MAX];
    const struct dama_conf *conf;
    const char *path;
    struct dama_error *err;
};

static struct reader *reader_of(const cfg_t *cfg)
{
    return (struct reader *)(void *)cfg->opts[0].simple_value.string;
}

static void fail_at_line(const cfg_t *cfg, enum dama_status status, const char *text)
{
    const struct reader *reader = reader_of(cfg);
    dama_fail(reader->err, status, "%s:%d: %s", reader->path, cfg->line, text);
}

static void report_syntax(cfg_t *cfg, const char *format, va_list args)
{
    char text[200];
    vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\n")] = '\0';
    static const char unknown[] = "no such option '";
    if (strncmp(text, unknown, strlen(unknown)) != 0) {
        fail_at_line(cfg, DAMA_INVALID, text);
        return;
    }
    char *word = text + strlen(unknown);
    word[strcspn(word, "'")] = '\0';
    struct dama_suggestion nearest = {.word = word};
    for (const char *const *key = reader_of(cfg)->conf->keys; *key; key++) {
        dama_suggest(&nearest, *key);
    }
    char line[300];
    snprintf(line, sizeof line, "unknown key '%s'%s%s%s", word,
             nearest.best ? ", the nearest is '" : "", nearest.best ? nearest.best : "",
             nearest.best ? "'" : "");
    fail_at_line(cfg, DAMA_INVALID, line);
}

/* Called behind each value: the one place where libconfuse lets a repeated key be seen. */
static int take_value(cfg_t *cfg, cfg_opt_t *option)
{
    struct reader *reader = reader_of(cfg);
    ptrdiff_t index = option - cfg->opts;
    if (reader->is_seen[index]) {
        char text[100];
        snprintf(text, sizeof text, "'%s' is written twice", option->name);
        fail_at_line(cfg, DAMA_INVALID, text);
        return -1;
    }
    reader->is_seen[index] = true;
    struct dama_error why = {0};
    /* A quote that is missing makes a value of everything up to the next one. */
    enum dama_status status =
        strpbrk(reader->values[index], "\r\n")
            ? dama_fail(&why, DAMA_INVALID, "%s: expected a value of one line", option->name)
            : reader->conf->set(reader->conf->context, option->name, reader->values[index], &why);
    if (status != DAMA_OK) {
        fail_at_line(cfg, status, why.text);
        return -1;
    }
    return 0;
}

/* Behind a quoted text that starts at `at`, or at its end when the quote is never closed. */
static char *skip_quoted(char *at)
{
    char quote = *at++;
    while (*at && *at != quote) {
        at += *at == '\\' && at[1] ? 2 : 1;
    }
    return *at ? at + 1 : at;
}

/* Overwrites comments with blanks and keeps line ends: libconfuse 3.3 counts the lines that end in
   a comment several times, so that its errors name lines that are not there. False when a comment
   is never closed, which libconfuse accepts. */
static bool blank_comments(char *at)
{
    while (*at) {
        if (*at == '"' || *at == '\'') {
            at = skip_quoted(at);
            continue;
        }
        bool is_block = at[0] == '/' && at[1] == '*';
        if (!is_block && *at != '#' && !(at[0] == '/' && at[1] == '/')) {
            at++;
            continue;
        }
        char *end = is_block ? strstr(at + 2, "*/") : at + strcspn(at, "\n");
        if (!end) {
            return false;
        }
        end += is_block ? 2 : 0;
        for (; at < end; at++) {
            *at = *at == '\n' ? '\n' : ' ';
        }
    }
    return true;
}

static enum dama_status parse(struct reader *reader, const char *text)
{
    cfg_opt_t options[KEYS_MAX + 1] = {0};
    int count = 0;
    while (reader->conf->keys[count]) {
        if (count == KEYS_MAX) {
            return dama_fail(reader->err, DAMA_UNSUPPORTED, "%s: more than %d keys", reader->path,
                             KEYS_MAX);
        }
        options[count] =
            (cfg_opt_t)CFG_SIMPLE_STR(reader->conf->keys[count], &reader->values[count]);
        count++;
    }
    options[count] = (cfg_opt_t)CFG_END();
    cfg_t *cfg = cfg_init(options, CFGF_NONE);
    if (!cfg) {
        return dama_fail(reader->err, DAMA_MEMORY, "%s: out of memory", reader->path);
    }
    cfg_set_error_function(cfg, report_syntax);
    for (int i = 0; i < count; i++) {
        cfg_set_validate_func(cfg, reader->conf->keys[i], take_value);
    }
    if (cfg_parse_buf(cfg, text) != CFG_SUCCESS && reader->err->status == DAMA_OK) {
        fail_at_line(cfg, DAMA_INVALID, "syntax error");
    }
    cfg_free(cfg);
    return reader->err->status;
}

enum dama_status dama_conf_load(const char *path, const struct dama_conf *conf,
                                struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, FILE_MAX_BYTES, &bytes, &size, err));
    char *text = malloc(size + 1);
    if (!text) {
        free(bytes);
        return dama_fail(err, DAMA_MEMORY, "%s: out of memory", path);
    }
    memcpy(text, bytes, size);
    text[size] = '\0';
    free(bytes);
    struct dama_error why = {0};
    struct reader reader = {.conf = conf, .path = path, .err = &why};
    enum dama_status status = DAMA_OK;
    if (memchr(text, '\0', size)) {
        status = dama_fail(&why, DAMA_INVALID, "%s: expected text, found a zero byte", path);
    } else if (!blank_comments(text)) {
        status = dama_fail(&why, DAMA_INVALID, "%s: a comment is never closed", path);
    } else {
        status = parse(&reader, text);
    }
    for (int i = 0; i < KEYS_MAX; i++) {
        free(reader.values[i]);
    }
    free(text);
    return status == DAMA_OK ? DAMA_OK : dama_fail(err, status, "%s", why.text);
}
