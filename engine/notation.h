/* Moves as text: the full path, PDN's short form, and a tolerant reader. */
#ifndef DAMA_NOTATION_H
#define DAMA_NOTATION_H

#include "engine/kernel.h"
#include "engine/squares.h"

/* Room for the longest path of a board of 50 squares. */
enum { DAMA_MOVE_TEXT_SIZE = 128 };

/* The full path: every square where the direction changes, and where it does not the square
   directly behind the victim, then the landing square; of several such paths the lexicographically
   smallest in grid numbers. "22x15x8", "c3-d4", "h6:f8:b4". The move must be legal. */
void dama_move_format_full(const struct dama_rules *rules, enum dama_squares squares,
                           const struct dama_position *position, dama_move move,
                           char out[DAMA_MOVE_TEXT_SIZE]);
/* From-to, or the full path when another legal capture shares both ends. */
void dama_move_format(const struct dama_rules *rules, enum dama_squares squares,
                      const struct dama_position *position, dama_move move,
                      char out[DAMA_MOVE_TEXT_SIZE]);

/* Reads one move token (any of - x : or nothing between letters; leading zeros; full path, partial
   path or from-to; marks ! ? behind it) and fills all legal moves that fit, those whose full path
   it is first, so that a reader may wait for the next token (C031). Returns how many; 0 with err
   set when the token is no move or no legal move fits, with the legal moves quoted. */
int dama_move_parse_all(const struct dama_rules *rules, enum dama_squares squares,
                        const struct dama_position *position, const char *token,
                        struct dama_move_list *out, struct dama_error *err);
/* The same for exactly one: of several that fit, the one whose full path the token is; when there
   is none such they are an error that names them. */
enum dama_status dama_move_parse(const struct dama_rules *rules, enum dama_squares squares,
                                 const struct dama_position *position, const char *token,
                                 dama_move *out, struct dama_error *err);

#endif
