/* Plots as inline SVG, drawn by the program gnuplot from a table of a page. */
#ifndef DAMA_EVAL_PLOT_H
#define DAMA_EVAL_PLOT_H

#include "eval/page.h"

/* Whether gnuplot can be started; DAMA_UNSUPPORTED names the package to install. */
enum dama_status dama_plot_check(struct dama_error *err);
/* Writes a figure into an HTML page. A failure is the page's. */
void dama_plot_write(struct dama_page *page, const struct dama_plot *plot);

#endif
