/* Steps over PDN text: bytes, lines, blanks, quoted strings, words. Private to the PDN reader. */
#ifndef DAMA_PDN_SCAN_H
#define DAMA_PDN_SCAN_H

#include "engine/pdn.h"

/* Classes of ASCII bytes. */
bool dama_pdn_is_digit(char c);
bool dama_pdn_is_alnum(char c);
/* Strength marks and the old mark of a forced move: ! ? * */
bool dama_pdn_is_mark(char c);
char dama_pdn_lower(char c);

/* The byte `ahead` of the reader; 0 behind the end. */
char dama_pdn_peek(const struct dama_pdn_reader *reader, size_t ahead);
bool dama_pdn_at_end(const struct dama_pdn_reader *reader);
/* Goes on by bytes and counts lines, which end with LF, CR LF or CR. */
void dama_pdn_advance(struct dama_pdn_reader *reader, size_t count);
/* To the end of the line, not over it. */
void dama_pdn_skip_line(struct dama_pdn_reader *reader);
/* Over space, line ends and other control bytes, lines that begin with %, and [%commands]. */
void dama_pdn_skip_space(struct dama_pdn_reader *reader);
/* Over blanks of this line. */
void dama_pdn_skip_blanks(struct dama_pdn_reader *reader);
/* To the next line that begins with a tag, or the end. */
void dama_pdn_skip_to_tag(struct dama_pdn_reader *reader);

/* "..." and the closer behind it, in one line; false, with the reader kept, when there is none. */
bool dama_pdn_read_quoted(struct dama_pdn_reader *reader, char closer, struct dama_pdn_text *out);
/* Letters, digits, / and move signs that stand together, blanks around a sign included ("1- 7");
   may be empty. */
struct dama_pdn_text dama_pdn_read_word(struct dama_pdn_reader *reader);

/* Bytes of the word that are a move, at least two squares; 0 when it begins with none. */
size_t dama_pdn_move_length(struct dama_pdn_text word);

#endif
