/* Runs gnuplot and makes its SVG fit to stand inside a page. */
#include "eval/plot.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static const char program[] = "gnuplot";

/* Starts gnuplot with files for its input, output and messages; its exit status, -1 when it could
   not be started. */
static int run(const char *option, FILE *in, FILE *out, FILE *messages)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return -1;
    }
    char *arguments[] = {(char *)program, (char *)option, NULL};
    pid_t child = -1;
    int status = -1;
    bool is_started =
        posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, fileno(messages), STDERR_FILENO) == 0 &&
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1) == 0 &&
        posix_spawnp(&child, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (is_started) {
        while (waitpid(child, &status, 0) < 0) {
        }
    }
    return is_started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum dama_status dama_plot_check(struct dama_error *err)
{
    FILE *nothing = tmpfile();
    int status = nothing ? run("--version", nothing, nothing, nothing) : -1;
    if (nothing) {
        fclose(nothing);
    }
    return status == 0 ? DAMA_OK
                       : dama_fail(err, DAMA_UNSUPPORTED,
                                   "expected the program %s to draw plots, found none: install the "
                                   "package gnuplot-nox, or take --terminal",
                                   program);
}

/* A cell as gnuplot's data: numbers as they are, all else quoted. */
static void write_datum(FILE *out, const char *cell)
{
    char *end;
    strtod(cell, &end);
    bool is_number = end != cell && *end == 0;
    if (is_number || strcmp(cell, "-") == 0) {
        fputs(cell, out);
        return;
    }
    fputc('"', out);
    for (; *cell; cell++) {
        fputc(*cell == '"' ? '\'' : *cell, out);
    }
    fputc('"', out);
}

static void write_script(FILE *out, const struct dama_page *page, const struct dama_plot *plot)
{
    fprintf(out,
            "set encoding utf8\n"
            "set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,13' name 'p%d'\n"
            "set datafile missing '-'\nset border 3 lw 1\nset tics nomirror out scale 0.5\n"
            "set grid lc rgb '#8d99a6' lw 0.5 dt 3\n"
            "set style fill solid 0.85 noborder\n"
            "set key above left horizontal Left reverse samplen 2 width -2\n",
            plot->width, plot->height, page->plots);
    fputs("$table << EndOfTable\n", out);
    size_t rows = 0;
    for (size_t r = 0; r < page->rows; r++) {
        const struct dama_page_row *row = &page->row[r];
        rows += !row->is_heading;
        for (int c = 0; c < page->columns && !row->is_heading; c++) {
            write_datum(out, row->cell[c] ? row->cell[c] : "-");
            fputc(c + 1 < page->columns ? ' ' : '\n', out);
        }
    }
    fprintf(out,
            "EndOfTable\nrows = %zu\n"
            "label(i, name) = int(i) %% (rows / 15 + 1) == 0 ? name : ''\n%s\n",
            rows, plot->script);
}

/* What is changed in gnuplot's SVG: black is the page's ink, names are this plot's own (@ is its
   number), and nothing names an address. */
static const struct {
    const char *from, *to;
} changes[] = {
    {" xmlns=\"http://www.w3.org/2000/svg\"", ""},
    {" xmlns:xlink=\"http://www.w3.org/1999/xlink\"", ""},
    {"<desc>Produced by GNUPLOT", "<desc>gnuplot"},
    {"xlink:href", "href"},
    {" color=\"black\"", ""},
    {"\"black\"", "\"currentColor\""},
    {"'black'", "'currentColor'"},
    {"'gp", "'p@-"},
    {"#gp", "#p@-"},
    {"id=\"gnuplot_canvas\"", "id=\"p@-canvas\""},
    {"id='textbox'", "id='p@-textbox'"},
    {"id='greybox'", "id='p@-greybox'"},
    {"<title>Gnuplot</title>", ""},
};

static void write_change(FILE *out, const char *text, int number)
{
    for (; *text; text++) {
        if (*text == '@') {
            fprintf(out, "%d", number);
        } else {
            fputc(*text, out);
        }
    }
}

static void write_svg(struct dama_page *page, const char *svg)
{
    while (*svg) {
        size_t i = 0;
        size_t count = sizeof changes / sizeof changes[0];
        while (i < count && strncmp(svg, changes[i].from, strlen(changes[i].from)) != 0) {
            i++;
        }
        if (i < count) {
            write_change(page->out, changes[i].to, page->plots);
            svg += strlen(changes[i].from);
        } else {
            fputc(*svg++, page->out);
        }
    }
}

/* All of a file, ended by a zero; NULL without memory. */
static char *read_all(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text) {
        rewind(file);
        text[fread(text, 1, (size_t)size, file)] = 0;
    }
    return text;
}

static void embed(struct dama_page *page, const struct dama_plot *plot, FILE *result,
                  FILE *messages, int status)
{
    char *svg = read_all(result);
    char *said = read_all(messages);
    const char *start = svg ? strstr(svg, "<svg") : NULL;
    /* Warnings are no failure: a series may have no points. */
    if (status != 0 || !start || !strstr(start, "</svg>")) {
        char first[160] = "";
        sscanf(said ? said : "", "%*[\n \t]%159[^\n]", first);
        dama_fail(&page->err, DAMA_IO, "%s: plot '%s': expected an SVG, exit status %d: %s",
                  program, plot->title, status, first);
    } else {
        fputs("<figure><figcaption>", page->out);
        dama_page_escape(page->out, plot->title);
        fputs("</figcaption>\n", page->out);
        write_svg(page, start);
        fputs("</figure>\n", page->out);
    }
    free(svg);
    free(said);
}

void dama_plot_write(struct dama_page *page, const struct dama_plot *plot)
{
    page->plots++;
    FILE *script = tmpfile(), *result = tmpfile(), *messages = tmpfile();
    if (script && result && messages) {
        write_script(script, page, plot);
        rewind(script);
        int status = run("-d", script, result, messages);
        embed(page, plot, result, messages, status);
    } else {
        dama_fail(&page->err, DAMA_IO, "expected room for a temporary file, found none");
    }
    FILE *files[] = {script, result, messages};
    for (int i = 0; i < 3; i++) {
        if (files[i]) {
            fclose(files[i]);
        }
    }
}
