/* The sections of a report, in the order of the page. */
#ifndef DAMA_REPORT_SECTIONS_H
#define DAMA_REPORT_SECTIONS_H

#include "eval/page.h"
#include "eval/report_facts.h"

/* Each writes one section from the facts; what has not been measured is said to be missing. */
void dama_report_summary(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_strength(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_losses(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_calibration(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_weights(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_board(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_results(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_lengths(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_phases(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_duplicates(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_throughput(struct dama_page *page, const struct dama_report_facts *facts);
void dama_report_origin(struct dama_page *page, const struct dama_report_facts *facts);

/* A cell with a number of a JSON object; "-" when it is not there. */
void dama_report_real(struct dama_page *page, const json_t *object, const char *key,
                      const char *format) __attribute__((format(printf, 4, 0)));
/* Percent of `part` in `whole`; "-" when there is nothing. */
void dama_report_share(struct dama_page *page, uint64_t part, uint64_t whole);

#endif
