/* Puts a report together. */
#include "eval/report.h"

#include <stdlib.h>

#include "cluster/run_folder.h"
#include "eval/plot.h"
#include "eval/report_sections.h"

static void (*const sections[])(struct dama_page *page, const struct dama_report_facts *facts) = {
    dama_report_summary, dama_report_strength,   dama_report_losses,     dama_report_calibration,
    dama_report_weights, dama_report_board,      dama_report_results,    dama_report_lengths,
    dama_report_phases,  dama_report_duplicates, dama_report_throughput, dama_report_origin,
};

static enum dama_status write_page(struct dama_page *page, const char *run, struct dama_error *err)
{
    struct dama_report_facts facts;
    enum dama_status status = dama_report_gather(&facts, run, err);
    if (status == DAMA_OK) {
        char title[DAMA_REPORT_PATH_SIZE + 16];
        snprintf(title, sizeof title, "Dama: %s", facts.name);
        dama_page_start(page, title,
                        facts.is_import ? "Draughts: what these imported games hold"
                                        : "Draughts by self-play: what this run has brought");
        for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
            sections[i](page, &facts);
        }
        dama_page_end(page);
        status = page->err.status == DAMA_OK
                     ? DAMA_OK
                     : dama_fail(err, page->err.status, "%s", page->err.text);
    }
    dama_report_free(&facts);
    return status;
}

enum dama_status dama_report_print(const char *run, FILE *out, struct dama_error *err)
{
    struct dama_page page = {.out = out};
    return write_page(&page, run, err);
}

enum dama_status dama_report_write(const char *run, const char *out_path, struct dama_error *err)
{
    DAMA_TRY(dama_run_check_target(out_path, err));
    DAMA_TRY(dama_plot_check(err));
    char *text = NULL;
    size_t size = 0;
    struct dama_page page = {.out = open_memstream(&text, &size), .is_html = true};
    if (!page.out) {
        return dama_fail(err, DAMA_MEMORY, "%s: no memory to write it", out_path);
    }
    enum dama_status status = write_page(&page, run, err);
    bool is_whole = fclose(page.out) == 0;
    if (status == DAMA_OK) {
        status = is_whole ? dama_file_write(out_path, text, size, err)
                          : dama_fail(err, DAMA_MEMORY, "%s: no memory to write it", out_path);
    }
    free(text);
    return status;
}
