/* What the tags of a PDN game say: names, results, the rules that are played. */
#include "engine/pdn.h"

#include <assert.h>
#include <string.h>

#include "engine/pdn_scan.h"

enum { GAME_TYPE_SPANISH = 24, GAME_TYPE_PORTUGUESE = 28 };

/* Italian names met in real files. */
static const struct {
    const char *english;
    const char *italian;
} aliases[] = {
    {"Result", "Risultato"}, {"White", "Bianco"}, {"Black", "Nero"},       {"Event", "Dati"},
    {"Date", "Anno"},        {"Round", "Turno"},  {"Opening", "Apertura"},
};

bool dama_pdn_text_is(struct dama_pdn_text text, const char *string)
{
    size_t length = strlen(string);
    return text.length == length && memcmp(text.at, string, length) == 0;
}

static bool is_name(struct dama_pdn_text text, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length && i < text.length; i++) {
        if (dama_pdn_lower(text.at[i]) != dama_pdn_lower(name[i])) {
            return false;
        }
    }
    return text.length == length;
}

static const struct dama_pdn_text *find_tag(const struct dama_pdn_game *game, const char *name)
{
    for (int i = 0; i < game->tag_count; i++) {
        if (is_name(game->tags[i].name, name)) {
            return &game->tags[i].value;
        }
    }
    return NULL;
}

const struct dama_pdn_text *dama_pdn_tag(const struct dama_pdn_game *game, const char *name)
{
    const struct dama_pdn_text *value = find_tag(game, name);
    for (size_t i = 0; !value && i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i].english, name) == 0) {
            value = find_tag(game, aliases[i].italian);
        }
    }
    return value;
}

void dama_pdn_unescape(struct dama_pdn_text value, char *out, size_t size)
{
    assert(size);
    size_t length = 0;
    for (size_t i = 0; i < value.length && length + 1 < size; i++) {
        char next = i + 1 < value.length ? value.at[i + 1] : 0;
        i += value.at[i] == '\\' && (next == '"' || next == '\\');
        out[length++] = value.at[i];
    }
    out[length] = 0;
}

enum dama_pdn_result dama_pdn_result_parse(const struct dama_rules *rules,
                                           struct dama_pdn_text text)
{
    bool is_black_first = rules->first_mover == DAMA_BLACK;
    if (dama_pdn_text_is(text, "1-0") || dama_pdn_text_is(text, "2-0")) {
        return is_black_first ? DAMA_PDN_BLACK_WON : DAMA_PDN_WHITE_WON;
    }
    if (dama_pdn_text_is(text, "0-1") || dama_pdn_text_is(text, "0-2")) {
        return is_black_first ? DAMA_PDN_WHITE_WON : DAMA_PDN_BLACK_WON;
    }
    if (dama_pdn_text_is(text, "1/2-1/2") || dama_pdn_text_is(text, "1-1")) {
        return DAMA_PDN_DRAWN;
    }
    bool is_none = !text.length || dama_pdn_text_is(text, "*") || dama_pdn_text_is(text, "?") ||
                   dama_pdn_text_is(text, "0-0");
    return is_none ? DAMA_PDN_NONE : DAMA_PDN_UNKNOWN;
}

enum dama_pdn_result dama_pdn_game_result(const struct dama_rules *rules,
                                          const struct dama_pdn_game *game)
{
    const struct dama_pdn_text *tag = dama_pdn_tag(game, "Result");
    enum dama_pdn_result result = tag ? dama_pdn_result_parse(rules, *tag) : DAMA_PDN_NONE;
    return result == DAMA_PDN_NONE ? dama_pdn_result_parse(rules, game->terminator) : result;
}

static enum dama_status fail_rules(const struct dama_pdn_game *game, const char *what,
                                   struct dama_pdn_text found, struct dama_error *err)
{
    char value[48];
    dama_pdn_unescape(found, value, sizeof value);
    return dama_fail(err, DAMA_UNSUPPORTED, "%s:%d: game %d: %s, found '%s'", game->file,
                     game->line, game->number, what, value);
}

/* The base variant of a GameType value, "20" or "20,W,10,10,N2,0". */
static const struct dama_rules *find_game_type(struct dama_pdn_text value)
{
    char text[24];
    dama_pdn_unescape(value, text, sizeof text);
    const char *at = text;
    int64_t type;
    if (!dama_text_read_int(&at, 0, INT16_MAX, &type) || (*at && *at != ',' && *at != ' ')) {
        return NULL;
    }
    /* Portuguese draughts is Spanish draughts under another number. */
    type = type == GAME_TYPE_PORTUGUESE ? GAME_TYPE_SPANISH : type;
    for (int i = 0; i < DAMA_BASE_COUNT; i++) {
        if (dama_rules_builtin(i)->game_type == type) {
            return dama_rules_builtin(i);
        }
    }
    return NULL;
}

enum dama_status dama_pdn_rules(const struct dama_pdn_game *game, const struct dama_rules *given,
                                const struct dama_rules **out, struct dama_error *err)
{
    const struct dama_pdn_text *type = dama_pdn_tag(game, "GameType");
    const struct dama_pdn_text *house = dama_pdn_tag(game, "HouseRule");
    *out = given;
    if (given) {
        return DAMA_OK;
    }
    if (!type) {
        return dama_fail(err, DAMA_INVALID,
                         "%s:%d: game %d: expected a GameType tag or a variant, found neither",
                         game->file, game->line, game->number);
    }
    *out = find_game_type(*type);
    if (!*out) {
        return fail_rules(game, "expected a GameType of 20-22, 24-26, 28 or 29", *type, err);
    }
    if (!house) {
        return DAMA_OK;
    }
    char name[DAMA_NAME_SIZE];
    dama_text_format(name, sizeof name, "%s-free", (*out)->name);
    *out = dama_rules_find(name);
    if (!dama_pdn_text_is(*house, "NoForcedCapture") || !*out) {
        return fail_rules(game, "expected HouseRule NoForcedCapture on an 8x8 game", *house, err);
    }
    return DAMA_OK;
}
