/* Pages: what is common to both forms; tables as they are filled. */
#include "eval/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "eval/plot.h"

enum { FIRST_ROWS = 32 };

void dama_page_escape(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static bool is_good(const struct dama_page *page)
{
    return page->err.status == DAMA_OK;
}

void dama_page_start(struct dama_page *page, const char *title, const char *subtitle)
{
    if (page->is_html) {
        dama_page_html_start(page, title, subtitle);
    } else {
        fprintf(page->out, "%s\n%s\n", title, subtitle);
    }
}

static void end_section(struct dama_page *page)
{
    if (page->is_in_section && page->is_html) {
        fputs("</section>\n", page->out);
    }
    page->is_in_section = false;
}

static void free_table(struct dama_page *page)
{
    for (size_t r = 0; r < page->rows; r++) {
        for (int c = 0; c < DAMA_PAGE_COLUMNS; c++) {
            free(page->row[r].cell[c]);
        }
    }
    free(page->row);
    page->row = NULL;
    page->rows = page->capacity = 0;
}

void dama_page_end(struct dama_page *page)
{
    end_section(page);
    free_table(page);
    if (page->is_html) {
        fputs("</main>\n</body>\n</html>\n", page->out);
    }
}

static void write_note(struct dama_page *page, const char *text)
{
    if (page->is_html) {
        fputs("<p>", page->out);
        dama_page_escape(page->out, text);
        fputs("</p>\n", page->out);
    } else {
        fprintf(page->out, "%s\n", text);
    }
}

void dama_page_section(struct dama_page *page, const char *id, const char *title, const char *note)
{
    end_section(page);
    page->is_in_section = true;
    if (page->is_html) {
        fprintf(page->out, "<section id=\"%s\">\n<h2>", id);
        dama_page_escape(page->out, title);
        fputs("</h2>\n", page->out);
    } else {
        fprintf(page->out, "\n== %s\n", title);
    }
    if (note) {
        write_note(page, note);
    }
}

/* NULL, with the page's error set, without memory. */
static char *format_text(struct dama_page *page, const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) {
        dama_fail(&page->err, DAMA_MEMORY, "no memory for a report's text");
        return NULL;
    }
    return text;
}

void dama_page_note(struct dama_page *page, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = format_text(page, format, args);
    va_end(args);
    if (text) {
        write_note(page, text);
    }
    free(text);
}

void dama_page_table(struct dama_page *page, const char *const *heads)
{
    free_table(page);
    page->heads = heads;
    page->columns = 0;
    while (heads[page->columns]) {
        page->columns++;
    }
    page->filled = page->columns;
}

static struct dama_page_row *new_row(struct dama_page *page)
{
    if (page->rows == page->capacity) {
        size_t capacity = page->capacity ? 2 * page->capacity : FIRST_ROWS;
        struct dama_page_row *grown = realloc(page->row, capacity * sizeof *grown);
        if (!grown) {
            dama_fail(&page->err, DAMA_MEMORY, "no memory for a report's table");
            return NULL;
        }
        page->row = grown;
        page->capacity = capacity;
    }
    struct dama_page_row *row = &page->row[page->rows++];
    memset(row, 0, sizeof *row);
    return row;
}

void dama_page_cell(struct dama_page *page, const char *format, ...)
{
    if (!is_good(page)) {
        return;
    }
    if (page->filled == page->columns) {
        page->filled = 0;
        if (!new_row(page)) {
            return;
        }
    }
    va_list args;
    va_start(args, format);
    page->row[page->rows - 1].cell[page->filled++] = format_text(page, format, args);
    va_end(args);
}

void dama_page_heading(struct dama_page *page, const char *format, ...)
{
    struct dama_page_row *row = is_good(page) ? new_row(page) : NULL;
    if (!row) {
        return;
    }
    va_list args;
    va_start(args, format);
    row->is_heading = true;
    row->cell[0] = format_text(page, format, args);
    va_end(args);
    page->filled = page->columns;
}

static void show(struct dama_page *page, bool is_folded)
{
    if (!is_good(page)) {
        return;
    }
    if (page->is_html) {
        dama_page_html_table(page, is_folded);
    } else {
        dama_page_text_table(page);
    }
}

void dama_page_show(struct dama_page *page)
{
    show(page, false);
}

bool dama_page_is_numeric(const struct dama_page *page, int column)
{
    for (size_t r = 0; r < page->rows; r++) {
        const char *cell = page->row[r].is_heading ? "-" : page->row[r].cell[column];
        if (!cell || strspn(cell, "+-0123456789.e") != strlen(cell)) {
            return false;
        }
    }
    return true;
}

static bool has_data(const struct dama_page *page, const struct dama_plot *plot)
{
    bool has = plot->needs == 0;
    for (size_t r = 0; r < page->rows && !has; r++) {
        const struct dama_page_row *row = &page->row[r];
        const char *cell = row->is_heading ? NULL : row->cell[plot->needs - 1];
        has = cell && strcmp(cell, "-") != 0;
    }
    return has;
}

void dama_page_plot(struct dama_page *page, const struct dama_plot *plots)
{
    bool is_drawn = false;
    for (int i = 0; plots[i].title && is_good(page) && page->is_html; i++) {
        if (has_data(page, &plots[i])) {
            dama_plot_write(page, &plots[i]);
            is_drawn = true;
        }
    }
    show(page, is_drawn);
}
