/* Replays the main line of a PDN game, all readings of an ambiguous token side by side. */
#include "engine/pdn.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fen.h"

/* Readings kept side by side; no game met needs more than three. */
enum {
    READINGS_MAX = 64,
    NODES_FIRST = 256,
    TOKEN_SIZE = 2 * DAMA_MOVE_TEXT_SIZE,
    WHERE_SIZE = 192
};

/* A position that some reading of the text reaches, and how. */
struct node {
    struct dama_position position;
    dama_move move; /* that led here from the parent; DAMA_MOVE_NONE for a set-up */
    int parent;     /* -1 at the start */
    int token;
};

/* All nodes so far; those from `level` on are the readings of the text up to here. */
struct tree {
    const struct dama_pdn_game *game;
    const struct dama_rules *rules;
    enum dama_squares squares;
    struct node *nodes;
    int count;
    int capacity;
    int level;
    int ply;
    bool has_merged;
    struct dama_error *err;
};

static enum dama_status add_node(struct tree *tree, struct node node)
{
    if (tree->count == tree->capacity) {
        int capacity = tree->capacity ? 2 * tree->capacity : NODES_FIRST;
        struct node *nodes = realloc(tree->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes) {
            return dama_fail(tree->err, DAMA_MEMORY, "out of memory");
        }
        tree->nodes = nodes;
        tree->capacity = capacity;
    }
    tree->nodes[tree->count++] = node;
    return DAMA_OK;
}

static enum dama_status copy_token(struct dama_pdn_text text, size_t size, char *out,
                                   struct dama_error *err)
{
    if (text.length >= size) {
        return dama_fail(err, DAMA_INVALID, "expected a text of at most %d bytes, found %d",
                         (int)size - 1, (int)text.length);
    }
    memcpy(out, text.at, text.length);
    out[text.length] = 0;
    return DAMA_OK;
}

static enum dama_status set_up(struct tree *tree, struct dama_pdn_text text, int token)
{
    char fen[DAMA_FEN_SIZE];
    struct node node = {.parent = tree->count ? tree->level : -1, .token = token};
    DAMA_TRY(copy_token(text, sizeof fen, fen, tree->err));
    DAMA_TRY(dama_fen_parse(tree->rules, tree->squares, fen, &node.position, tree->err));
    int level = tree->count;
    DAMA_TRY(add_node(tree, node));
    tree->level = level;
    return DAMA_OK;
}

/* True when a reading from `level` on has this position already. */
static bool is_known(struct tree *tree, int level, const struct dama_position *position)
{
    for (int i = level; i < tree->count; i++) {
        if (dama_position_equal(&tree->nodes[i].position, position)) {
            tree->has_merged = true;
            return true;
        }
    }
    return false;
}

static enum dama_status add_moves(struct tree *tree, int parent, int level, int token,
                                  const struct dama_move_list *moves)
{
    const struct dama_kernel *kernel = dama_kernel_find(tree->rules);
    for (int i = 0; i < moves->count; i++) {
        const struct dama_position *before = &tree->nodes[parent].position;
        struct node node = {.position = kernel->make(tree->rules, before, moves->moves[i]),
                            .move = moves->moves[i],
                            .parent = parent,
                            .token = token};
        if (is_known(tree, level, &node.position)) {
            continue;
        }
        if (tree->count - level == READINGS_MAX) {
            return dama_fail(tree->err, DAMA_UNSUPPORTED,
                             "expected at most %d readings of ambiguous moves, found more",
                             READINGS_MAX);
        }
        DAMA_TRY(add_node(tree, node));
    }
    return DAMA_OK;
}

/* Every reading goes on with every move that the token can mean; the first reading's complaint is
   told when none can. */
static enum dama_status play_token(struct tree *tree, int index)
{
    char token[TOKEN_SIZE];
    struct dama_error err = {0};
    int level = tree->count;
    DAMA_TRY(copy_token(tree->game->tokens[index].text, sizeof token, token, tree->err));
    for (int i = tree->level; i < level; i++) {
        struct dama_move_list moves;
        if (dama_move_parse_all(tree->rules, tree->squares, &tree->nodes[i].position, token, &moves,
                                &err)) {
            DAMA_TRY(add_moves(tree, i, level, index, &moves));
        }
    }
    if (tree->count == level) {
        return dama_fail(tree->err, err.status, "%s", err.text);
    }
    tree->level = level;
    tree->ply++;
    return DAMA_OK;
}

static enum dama_status play_tokens(struct tree *tree, struct dama_pdn_replay *out)
{
    for (int i = 0; i < tree->game->token_count; i++) {
        const struct dama_pdn_token *token = &tree->game->tokens[i];
        enum dama_status status =
            token->is_setup ? set_up(tree, token->text, i) : play_token(tree, i);
        if (status != DAMA_OK) {
            char where[WHERE_SIZE];
            out->failed_token = i;
            dama_text_format(where, sizeof where, "%s:%d: game %d, ply %d", tree->game->file,
                             token->line, tree->game->number, tree->ply + 1);
            return dama_error_prefix(tree->err, where);
        }
    }
    return DAMA_OK;
}

static enum dama_status begin(struct tree *tree)
{
    const struct dama_pdn_game *game = tree->game;
    const struct dama_pdn_text *fen = dama_pdn_tag(game, "FEN");
    if (!fen || !fen->length) {
        struct node node = {.position = dama_position_start(tree->rules), .parent = -1};
        return add_node(tree, node);
    }
    enum dama_status status = set_up(tree, *fen, -1);
    if (status != DAMA_OK) {
        char where[WHERE_SIZE];
        dama_text_format(where, sizeof where, "%s:%d: game %d", game->file, game->line,
                         game->number);
        dama_error_prefix(tree->err, where);
    }
    return status;
}

/* Writes the first reading's plies, from its last node back to the start. */
static enum dama_status take_plies(const struct tree *tree, struct dama_pdn_replay *out)
{
    if (out->capacity < tree->ply) {
        struct dama_pdn_ply *plies = realloc(out->plies, (size_t)tree->ply * sizeof *plies);
        if (!plies) {
            return dama_fail(tree->err, DAMA_MEMORY, "out of memory");
        }
        out->plies = plies;
        out->capacity = tree->ply;
    }
    out->count = tree->ply;
    int ply = tree->ply;
    for (int i = tree->level; tree->nodes[i].parent >= 0; i = tree->nodes[i].parent) {
        const struct node *node = &tree->nodes[i];
        if (!node->move) {
            out->is_broken |= ply > 0;
            continue;
        }
        out->plies[--ply] =
            (struct dama_pdn_ply){tree->nodes[node->parent].position, node->move, node->token};
    }
    assert(ply == 0);
    out->final = tree->nodes[tree->level].position;
    return DAMA_OK;
}

enum dama_status dama_pdn_replay(const struct dama_pdn_game *game, const struct dama_rules *rules,
                                 enum dama_squares squares, struct dama_pdn_replay *out,
                                 struct dama_error *err)
{
    struct dama_error own = {0};
    struct tree tree = {.game = game, .rules = rules, .squares = squares, .err = err ? err : &own};
    *out = (struct dama_pdn_replay){
        .plies = out->plies, .capacity = out->capacity, .failed_token = -1};
    enum dama_status status = begin(&tree);
    if (status == DAMA_OK) {
        status = play_tokens(&tree, out);
        out->is_ambiguous = tree.has_merged || tree.count - tree.level > 1;
        if (take_plies(&tree, out) != DAMA_OK) {
            status = DAMA_MEMORY;
        }
    }
    free(tree.nodes);
    return status;
}

void dama_pdn_replay_free(struct dama_pdn_replay *replay)
{
    free(replay->plies);
    *replay = (struct dama_pdn_replay){.plies = NULL};
}
