/* What several tests share: data files line by line, positions of oracle files, random positions.
 */
#ifndef DAMA_TESTS_SUPPORT_H
#define DAMA_TESTS_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "engine/kernel.h"
#include "engine/rng.h"

/* Calls each with every line (without its end, numbered from 1) of a file below tests/data; fails
   the test when the file cannot be read or has no line. */
typedef void (*line_function)(void *context, char *line, int number);
void for_each_line(const char *path, line_function each, void *context);

/* The position of a FEN in grid squares; fails the test when it is refused. */
struct dama_position grid_position(const struct dama_rules *rules, const char *fen);

/* A random position of the rules: any number of men and kings of both sides, from crowded to
   nearly empty. */
struct dama_position random_position(const struct dama_rules *rules, struct dama_rng *rng);

/* Fails with both lists when they differ in more than order. */
void assert_same_moves(struct dama_move_list *a, struct dama_move_list *b, const char *where);

/* Sorts moves by their number. */
void sort_moves(struct dama_move_list *list);

#endif
