/* RUN/status.prom: status.json as metrics in the text format of Prometheus, for the file collector
   of its node exporter. */
#ifndef DAMA_PROMETHEUS_H
#define DAMA_PROMETHEUS_H

/* NAME(metric, member of status.json, help): a metric with the labels stage and unit, all gauges.
   Beside them:
   dama_running{stage}                   1 while the work goes on, 0 at its end
   dama_games{result}                    finished games by result: white, draw, black
   dama_rank_games{rank,host}            games of this call that a rank has played
   dama_rank_games_per_second{rank,host} their rate
   dama_rank_slow{rank,host}             1 when the rank plays less than half of what the median
   does */
#define DAMA_METRICS(NAME)                                                            \
    NAME(dama_progress_done, done, "Units of work that are done.")                    \
    NAME(dama_progress_total, total, "Units of work in all.")                         \
    NAME(dama_progress_per_second, rate, "Units a second since the start.")           \
    NAME(dama_progress_eta_seconds, eta_s, "Seconds left at this rate; -1: unknown.") \
    NAME(dama_progress_elapsed_seconds, elapsed_s, "Seconds since the start.")        \
    NAME(dama_disk_free_bytes, disk_free, "Free bytes of the run's file system.")     \
    NAME(dama_duplicate_games, duplicates, "Finished games that another one equals.")

/* The metrics of a status.json, freed by the caller; NULL when it is no JSON object or memory is
   out. */
char *dama_prometheus_format(const char *status_json);

#endif
