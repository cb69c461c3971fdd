/* RUN/status.prom: status.json as metrics in the text format of Prometheus, for the file collector
   of its node exporter. */
#ifndef DAMA_PROMETHEUS_H
#define DAMA_PROMETHEUS_H

#include <time.h>

/* NAME(metric, member of status.json, help): a metric with the label run; units are seconds, bytes
   and games. A counter ends in _total and begins again with each generation of a training; the
   others are gauges. */
#define DAMA_METRICS(NAME)                                                        \
    NAME(dama_disk_free_bytes, disk_free, "Free bytes of the run's file system.") \
    NAME(dama_duplicate_games_total, duplicates, "Finished games that another one equals.")

/* The same with the labels stage and unit as well. What is unknown (an ETA of -1) is left out.
   Beside these:
   dama_state{run,stage,state}               1 for running, done, stopped or failed, 0 for the
   others dama_updated_timestamp_seconds{run}       when this was written: old while running is a
   kill dama_stored_bytes{run}                    size of the shards dama_games_total{run,result}
   finished games by result: white, draw, black dama_rank_games_total{run,rank,host}      games of
   this call that a rank has played dama_rank_games_per_second{run,rank,host} their rate
   dama_rank_slow{run,rank,host}             1 when the rank plays less than half of what the median
   does */
#define DAMA_WORK_METRICS(NAME)                                             \
    NAME(dama_progress_done, done, "Units of work that are done.")          \
    NAME(dama_progress_target, total, "Units of work in all.")              \
    NAME(dama_progress_per_second, rate, "Units a second since the start.") \
    NAME(dama_progress_eta_seconds, eta_s, "Seconds left at this rate.")    \
    NAME(dama_progress_elapsed_seconds, elapsed_s, "Seconds since the start.")

/* The metrics of a status.json of the run (any text: a label's value) at that time, freed by the
   caller; NULL when it is no JSON object or memory is out. */
char *dama_prometheus_format(const char *status_json, const char *run, time_t now);

#endif
