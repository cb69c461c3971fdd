/* Pages as HTML that is also well-formed XML: one file, styles within, nothing fetched. */
#include <string.h>

#include "eval/page.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d232b;--soft:#5b6673;--paper:#ffffff;--panel:#f5f6f8;"
    "--line:#d5dae0}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e4e8ed;--soft:#9aa5b1;--paper:#14181d;"
    "--panel:#1c2229;--line:#353e48}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,\"Segoe UI\",\"DejaVu Sans\",sans-serif}\n"
    "main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}\n"
    "h1{font-size:1.7rem;margin:0 0 .2rem}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .5rem;padding-top:.6rem;border-top:1px solid "
    "var(--line)}\n"
    "p{max-width:46rem;margin:.4rem 0 .8rem}\n"
    "section>p,.subtitle{color:var(--soft)}\n"
    "figure{margin:1rem 0;padding:.6rem;background:var(--panel);border:1px solid var(--line);"
    "border-radius:6px;overflow-x:auto}\n"
    "figure svg{display:block;width:100%;min-width:34rem;height:auto;margin:0 auto}\n"
    "figcaption{font-weight:600;margin-bottom:.3rem}\n"
    "details{margin:.4rem 0}\nsummary{cursor:pointer;color:var(--soft)}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums;"
    "margin:.5rem 0}\n"
    "th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid var(--line);"
    "vertical-align:top}\n"
    "td.text,th.text{text-align:left}\n"
    "td.long{word-break:break-all}\n"
    "th{font-weight:600;color:var(--soft)}\n"
    "th.group{text-align:left;color:var(--ink);background:var(--panel)}\n";

/* A cell of more characters than this without a blank may be broken anywhere. */
enum { LONG_WORD = 40 };

void dama_page_html_start(struct dama_page *page, const char *title, const char *subtitle)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          page->out);
    dama_page_escape(page->out, title);
    fprintf(page->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    dama_page_escape(page->out, title);
    fputs("</h1>\n<p class=\"subtitle\">", page->out);
    dama_page_escape(page->out, subtitle);
    fputs("</p>\n", page->out);
}

/* A table without heads is a list of names and texts. */
static bool has_heads(const struct dama_page *page)
{
    bool has = false;
    for (int c = 0; c < page->columns; c++) {
        has = has || page->heads[c][0];
    }
    return has;
}

static void write_heads(const struct dama_page *page)
{
    if (!has_heads(page)) {
        return;
    }
    fputs("<thead><tr>", page->out);
    for (int c = 0; c < page->columns; c++) {
        fputs(dama_page_is_numeric(page, c) ? "<th>" : "<th class=\"text\">", page->out);
        dama_page_escape(page->out, page->heads[c]);
        fputs("</th>", page->out);
    }
    fputs("</tr></thead>\n", page->out);
}

static void write_cell(FILE *out, const char *text, bool is_number)
{
    bool is_long = strlen(text) > LONG_WORD && !strchr(text, ' ');
    fputs(is_number ? "<td>" : is_long ? "<td class=\"text long\">" : "<td class=\"text\">", out);
    dama_page_escape(out, text);
    fputs("</td>", out);
}

void dama_page_html_table(struct dama_page *page, bool is_folded)
{
    fputs(is_folded ? "<details><summary>Numbers</summary>\n<div class=\"wide\"><table>\n"
                    : "<div class=\"wide\"><table>\n",
          page->out);
    write_heads(page);
    fputs("<tbody>\n", page->out);
    for (size_t r = 0; r < page->rows; r++) {
        const struct dama_page_row *row = &page->row[r];
        fputs("<tr>", page->out);
        if (row->is_heading) {
            fprintf(page->out, "<th class=\"group\" colspan=\"%d\">", page->columns);
            dama_page_escape(page->out, row->cell[0] ? row->cell[0] : "");
            fputs("</th>", page->out);
        }
        for (int c = 0; c < page->columns && !row->is_heading; c++) {
            write_cell(page->out, row->cell[c] ? row->cell[c] : "", dama_page_is_numeric(page, c));
        }
        fputs("</tr>\n", page->out);
    }
    fputs("</tbody></table></div>\n", page->out);
    fputs(is_folded ? "</details>\n" : "", page->out);
}
