/* Tables of a page as plain text: columns as wide as they need, numbers to the right. */
#include "eval/page.h"

/* Columns that a terminal shows of a UTF-8 text of narrow characters. */
static int shown_width(const char *text)
{
    int width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static void print_cell(FILE *out, const char *text, int width, bool is_right, bool is_last)
{
    int pad = width - shown_width(text);
    if (is_right) {
        fprintf(out, "%*s%s", pad, "", text);
    } else {
        fprintf(out, "%s%*s", text, is_last ? 0 : pad, "");
    }
    fputs(is_last ? "\n" : "  ", out);
}

void dama_page_text_table(struct dama_page *page)
{
    int width[DAMA_PAGE_COLUMNS];
    bool is_right[DAMA_PAGE_COLUMNS];
    bool has_heads = false;
    for (int c = 0; c < page->columns; c++) {
        width[c] = shown_width(page->heads[c]);
        has_heads = has_heads || width[c] > 0;
        is_right[c] = dama_page_is_numeric(page, c);
        for (size_t r = 0; r < page->rows; r++) {
            const char *cell = page->row[r].is_heading ? NULL : page->row[r].cell[c];
            int cell_width = cell ? shown_width(cell) : 0;
            width[c] = cell_width > width[c] ? cell_width : width[c];
        }
    }
    for (int c = 0; c < page->columns && has_heads; c++) {
        print_cell(page->out, page->heads[c], width[c], is_right[c], c + 1 == page->columns);
    }
    for (size_t r = 0; r < page->rows; r++) {
        const struct dama_page_row *row = &page->row[r];
        if (row->is_heading) {
            fprintf(page->out, "-- %s\n", row->cell[0] ? row->cell[0] : "");
            continue;
        }
        for (int c = 0; c < page->columns; c++) {
            print_cell(page->out, row->cell[c] ? row->cell[c] : "", width[c], is_right[c],
                       c + 1 == page->columns);
        }
    }
}
