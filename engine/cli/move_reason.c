/* Finds the rule that forbids a move: the one without which it would be legal. */
#include "engine/cli/move_reason.h"

#include <ctype.h>
#include <string.h>

#include "engine/text.h"

/* A question: the position, and what the player wrote as the ends of a move. */
struct question {
    const struct dama_rules *rules;
    enum dama_squares squares;
    const struct dama_position *position;
    const char *token;
    int from; /* grid squares */
    int to;
};

static void add_word(struct dama_text *out, const char *word, int length)
{
    for (int i = 0; i < length; i++) {
        dama_text_add(out, "%c", word[i]);
    }
}

/* Fills the first and the last square of the token; false with the reason when it has no two. */
static bool read_ends(struct question *question, struct dama_text *out)
{
    const char *at = question->token;
    int count = 0;
    while (*at) {
        if (!isalnum((unsigned char)*at) || *at == 'x' || *at == 'X') {
            at++;
            continue;
        }
        int square = dama_square_parse(question->rules, question->squares, &at);
        if (!square) {
            int length = 0;
            while (isalnum((unsigned char)at[length]) && at[length] != 'x') {
                length++;
            }
            add_word(out, at, length);
            dama_text_add(out, " is no square of this board");
            return false;
        }
        question->from = count ? question->from : square;
        question->to = square;
        count++;
    }
    if (count < 2) {
        dama_text_add(out, "a move is two squares or more");
    }
    return count >= 2;
}

static bool is_legal_under(const struct question *question, const struct dama_rules *rules)
{
    struct dama_error err = {0};
    struct dama_move_list moves;
    return dama_move_parse_all(rules, question->squares, question->position, question->token,
                               &moves, &err) > 0;
}

static const char *colour_name(uint64_t side)
{
    return side == DAMA_WHITE ? "White" : "Black";
}

/* Whose piece is where: true when that answers the question. */
static bool explain_pieces(const struct question *question, struct dama_text *out)
{
    const struct dama_position *position = question->position;
    int size = question->rules->board_size;
    uint64_t from = UINT64_C(1) << dama_square_bit(size, question->from);
    uint64_t to = UINT64_C(1) << dama_square_bit(size, question->to);
    char from_name[4], to_name[4];
    dama_square_format(question->rules, question->squares, question->from, from_name);
    dama_square_format(question->rules, question->squares, question->to, to_name);
    if (position->pieces[!position->side] & from) {
        dama_text_add(out, "the piece on %s is not %s's", from_name, colour_name(position->side));
    } else if (!(position->pieces[position->side] & from)) {
        dama_text_add(out, "there is no piece on %s", from_name);
    } else if (from != to && (position->pieces[0] | position->pieces[1]) & to) {
        dama_text_add(out, "there is a piece on %s already", to_name);
    } else {
        return false;
    }
    return true;
}

/* Each step takes one more rule away from those before it; the rule that makes the difference is
   the reason. First the order among captures from its last criterion, then what pieces can do. */
static const char *rule_that_forbids(const struct question *question)
{
    struct dama_rules rules = *question->rules;
    struct {
        bool *field;
        bool without;
        const char *reason;
    } steps[] = {
        {&rules.kings_earliest, false, "the capture that meets a king earlier is obligatory"},
        {&rules.most_kings, false, "the capture of the most kings is obligatory"},
        {&rules.prefer_king_capturer, false, "the king must capture rather than the man"},
        {&rules.most_pieces, false, "the capture of the most pieces is obligatory"},
        {&rules.king_captures_first, false, "a king that can capture must do so"},
        {&rules.king_must_go_on, false, "the king must land where its capture goes on"},
        {&rules.capture_mandatory, false, "capturing is obligatory"},
        {&rules.man_captures_king, true, "a man may not capture a king"},
        {&rules.man_captures_backward, true, "a man may not capture backward"},
        {&rules.king_flies, true, "a king goes one square at a time"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (*steps[i].field == steps[i].without) {
            continue;
        }
        *steps[i].field = steps[i].without;
        if (is_legal_under(question, &rules)) {
            return steps[i].reason;
        }
    }
    return NULL;
}

/* The legal move that begins like the question's and passes through its end. */
static bool explain_unfinished(const struct question *question, const struct dama_move_list *legal,
                               struct dama_text *out)
{
    int size = question->rules->board_size;
    char end[4];
    dama_square_format(question->rules, question->squares, question->to, end);
    for (int i = 0; i < legal->count; i++) {
        if (dama_bit_square(size, dama_move_from(legal->moves[i])) != question->from) {
            continue;
        }
        char path[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(question->rules, question->squares, question->position,
                              legal->moves[i], path);
        const char *at = strpbrk(path, "x:-");
        for (; at; at = strpbrk(at + 1, "x:-")) {
            size_t length = strcspn(at + 1, "x:-");
            if (strlen(end) == length && strncmp(at + 1, end, length) == 0) {
                dama_text_add(out, "the capture goes on: %s", path);
                return true;
            }
        }
    }
    return false;
}

/* Behind the reason, what is obligatory when it is one move. */
static void add_only_move(const struct question *question, const struct dama_move_list *legal,
                          struct dama_text *out)
{
    if (legal->count == 1) {
        char path[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(question->rules, question->squares, question->position,
                              legal->moves[0], path);
        dama_text_add(out, ", the only legal move is %s", path);
    }
}

void dama_move_reason(const struct dama_rules *rules, enum dama_squares squares,
                      const struct dama_position *position, const char *token,
                      char out[DAMA_REASON_SIZE])
{
    struct dama_text text = {.at = out, .size = DAMA_REASON_SIZE};
    struct question question = {
        .rules = rules, .squares = squares, .position = position, .token = token};
    if (!read_ends(&question, &text)) {
        return;
    }
    if (explain_pieces(&question, &text)) {
        return;
    }
    struct dama_move_list legal;
    dama_kernel_find(rules)->generate(rules, position, &legal);
    if (explain_unfinished(&question, &legal, &text)) {
        return;
    }
    const char *reason = rule_that_forbids(&question);
    dama_text_add(&text, "%s", reason ? reason : "the piece cannot go there");
    add_only_move(&question, &legal, &text);
}
