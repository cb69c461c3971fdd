/* A page of sections, tables and plots, written as one HTML file or as plain text: both show the
 * same figures, as a plot is drawn from the table beside it. */
#ifndef DAMA_PAGE_H
#define DAMA_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/error.h"

enum { DAMA_PAGE_COLUMNS = 16 };

/* A row of a table: cells, or a heading across the columns below it. */
struct dama_page_row {
    bool is_heading;
    char *cell[DAMA_PAGE_COLUMNS]; /* a heading has one */
};

/* A plot by gnuplot (plot.h) of the table in front of it, which its script knows as $table, its
   rows without headings as rows; columns count from 1, text cells are quoted, "-" is missing.
   label(i, name) thins out the names of many rows. */
struct dama_plot {
    const char *title;
    int width, height; /* points */
    const char *script;
    int needs; /* a column that must hold a number, or there is nothing to draw; 0: none */
};

/* Fields are private but for out and is_html, which are set at the start, all else zero. The first
   failure is kept in err and ends all output. */
struct dama_page {
    FILE *out;
    bool is_html;
    struct dama_error err;
    int plots; /* so far: each has names of its own */
    bool is_in_section;
    const char *const *heads; /* of the table being filled, ended by NULL */
    int columns, filled;      /* cells of the last row so far */
    struct dama_page_row *row;
    size_t rows, capacity;
};

void dama_page_start(struct dama_page *page, const char *title, const char *subtitle);
void dama_page_end(struct dama_page *page);
/* id is a name for links, of letters; note a paragraph, may be NULL. */
void dama_page_section(struct dama_page *page, const char *id, const char *title, const char *note);
void dama_page_note(struct dama_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A table: heads, then its cells row by row, then how it is shown. The heads must outlive it. */
void dama_page_table(struct dama_page *page, const char *const *heads);
void dama_page_cell(struct dama_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void dama_page_heading(struct dama_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The table alone. */
void dama_page_show(struct dama_page *page);
/* HTML: the plots, the table folded away beneath. Text: the table. Plots end with a NULL title. */
void dama_page_plot(struct dama_page *page, const struct dama_plot *plots);

/* Text with &, <, > and quotes made harmless for HTML. */
void dama_page_escape(FILE *out, const char *text);
/* The column holds nothing but numbers and missing ones: it stands to the right. */
bool dama_page_is_numeric(const struct dama_page *page, int column);
/* The parts that each form writes in its own way (page_html.c, page_text.c). */
void dama_page_html_start(struct dama_page *page, const char *title, const char *subtitle);
void dama_page_html_table(struct dama_page *page, bool is_folded);
void dama_page_text_table(struct dama_page *page);

#endif
