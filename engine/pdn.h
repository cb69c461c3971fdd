/* Games as PDN: a tolerant reader over text in memory, replay of what it read, and a PDN 3.0
   writer. */
#ifndef DAMA_PDN_H
#define DAMA_PDN_H

#include "engine/game.h"
#include "engine/notation.h"
#include "engine/text.h"

/* A piece of the text that is read; not ended by a zero byte, valid as long as the text. */
struct dama_pdn_text {
    const char *at;
    size_t length;
};
bool dama_pdn_text_is(struct dama_pdn_text text, const char *string);

enum { DAMA_PDN_TAGS_MAX = 64 };

/* [Name "value"]; the value is as written, bytes of any encoding, escapes not resolved. */
struct dama_pdn_tag {
    struct dama_pdn_text name;
    struct dama_pdn_text value;
};

/* A move of the main line (blanks inside, "1- 7", are kept), or the FEN of a /FEN "..."/. */
struct dama_pdn_token {
    struct dama_pdn_text text;
    int line;
    bool is_setup;
};

/* One game as written. Comments, %-lines, NAGs, marks and variations are read over. Start with {0};
   dama_pdn_next reuses the memory, dama_pdn_game_free releases it. */
struct dama_pdn_game {
    const char *file; /* the reader's */
    int number;       /* from 1 */
    int line;         /* where it begins */
    int tag_count;
    struct dama_pdn_tag tags[DAMA_PDN_TAGS_MAX];
    int token_count;
    int token_capacity;
    struct dama_pdn_token *tokens;
    /* The result that ends the moves, "*" included; may be empty. */
    struct dama_pdn_text terminator;
    /* What is not PDN, with file:line. A damaged tag spoils its line; behind anything else the rest
       of the game is skipped, and the tokens before it stand. */
    struct dama_error error;
    /* The first oddity that is no error: a result text that is none, two equal tags, a remark glued
       to a move. */
    struct dama_error note;
};

/* A place in a text of games. */
struct dama_pdn_reader {
    const char *file; /* its name, for messages */
    const char *begin;
    const char *at;
    const char *end;
    int line;
    int games; /* read so far */
};

/* A reader at the beginning; text and name must outlive it. */
struct dama_pdn_reader dama_pdn_open(const char *file, const char *text, size_t size);

/* Reads the next game, a damaged one too (game->error); false at the end of the text. */
bool dama_pdn_next(struct dama_pdn_reader *reader, struct dama_pdn_game *game);
void dama_pdn_game_free(struct dama_pdn_game *game);

/* The value of a tag, in either case of letters, under its English or Italian name; NULL when
   absent. */
const struct dama_pdn_text *dama_pdn_tag(const struct dama_pdn_game *game, const char *name);
/* Copies a value with \" and \\ resolved, cut to size - 1 bytes. */
void dama_pdn_unescape(struct dama_pdn_text value, char *out, size_t size);

/* What a result says, by the colour of the winner: the left number belongs to the side that moves
   first in this kind of game. NONE is "*", "0-0" or no text at all; UNKNOWN a team score and the
   like. */
enum dama_pdn_result {
    DAMA_PDN_BLACK_WON = -1,
    DAMA_PDN_DRAWN = 0,
    DAMA_PDN_WHITE_WON = 1,
    DAMA_PDN_NONE = 2,
    DAMA_PDN_UNKNOWN = 3,
};
enum dama_pdn_result dama_pdn_result_parse(const struct dama_rules *rules,
                                           struct dama_pdn_text text);
/* The result of a game: of its tag, else of its terminator. */
enum dama_pdn_result dama_pdn_game_result(const struct dama_rules *rules,
                                          const struct dama_pdn_game *game);

/* The built-in rules that GameType and HouseRule name; without a GameType `given`. A `given` (NULL
   is allowed) wins over the tag. Neither, or a type that is no built-in, is an error. */
enum dama_status dama_pdn_rules(const struct dama_pdn_game *game, const struct dama_rules *given,
                                const struct dama_rules **out, struct dama_error *err);

/* A move of the replayed main line. A /FEN "..."/ may break the chain of positions. */
struct dama_pdn_ply {
    struct dama_position position; /* before the move */
    dama_move move;
    int token;
};
/* Start with {0}; dama_pdn_replay reuses the memory, dama_pdn_replay_free releases it. */
struct dama_pdn_replay {
    int count;
    int capacity;
    struct dama_pdn_ply *plies;
    struct dama_position final;
    bool is_broken;    /* by a /FEN "..."/ behind the first move */
    int failed_token;  /* index of the token that is no legal move; -1 when all are */
    bool is_ambiguous; /* several lines of play fit the text; the first one is given */
};

/* Plays the main line from the FEN tag or the start position. A token that fits several moves keeps
   all of them until a later one decides (C031). On failure the plies before the failed token stand,
   and err says file:line, game, ply, token and the legal moves. */
enum dama_status dama_pdn_replay(const struct dama_pdn_game *game, const struct dama_rules *rules,
                                 enum dama_squares squares, struct dama_pdn_replay *out,
                                 struct dama_error *err);
void dama_pdn_replay_free(struct dama_pdn_replay *replay);

/* A tag to be written, in UTF-8; quotes and backslashes are escaped. */
struct dama_pdn_pair {
    const char *name;
    const char *value;
};

/* Adds one game as PDN 3.0: the given tags (Event, Site, Date, Round, White, Black ... in the given
   order; never those that follow here), Result, GameType, HouseRule, FEN where it does not begin at
   the start position, Termination with the rule that ended it, then the moves in lines of at most
   80 characters and "*". state is the end of the game; under ONGOING the result is "*". */
void dama_pdn_write(struct dama_text *text, const struct dama_game *game,
                    struct dama_game_state state, const struct dama_pdn_pair *tags, int tag_count);

/* "1-0", "2-0" ... as the variant writes it; "*" when the game is not over. */
const char *dama_pdn_result_text(const struct dama_rules *rules, struct dama_game_state state);

#endif
