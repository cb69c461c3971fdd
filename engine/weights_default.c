/* Tables that need no training: material alone, and the hand-set default of every rule set. */
#include <string.h>

#include "engine/weights.h"

static void begin(const struct dama_rules *rules, struct dama_weights *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->variant, rules->name, sizeof out->variant);
    const unsigned char *hash = dama_rules_hash(rules);
    if (hash) {
        memcpy(out->rules_hash, hash, DAMA_HASH_SIZE);
    }
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        out->w[phase][DAMA_FEATURE_man] = DAMA_WEIGHTS_UNIT;
        out->w[phase][DAMA_FEATURE_king] = (int16_t)rules->king_value;
    }
}

void dama_weights_material(const struct dama_rules *rules, struct dama_weights *out)
{
    begin(rules, out);
}

/* One weight by hand: full board, empty board. */
struct setting {
    int index;
    int16_t first, last;
};

static void apply(struct dama_weights *out, const struct setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out->w[0][settings[i].index] = settings[i].first;
        out->w[1][settings[i].index] = settings[i].last;
    }
}

/* What the teachers of every game say, in hundredths of a man. */
static const struct setting common[] = {
    {DAMA_FEATURE_first_king, 15, 25},
    {DAMA_FEATURE_trade_when_ahead, 30, 30},
    {DAMA_FEATURE_trade_when_ahead + 1, 15, 15},
    {DAMA_FEATURE_trade_when_ahead + 2, 5, 5},
    {DAMA_FEATURE_advance, 15, 40},
    {DAMA_FEATURE_advance + 1, 10, 24},
    {DAMA_FEATURE_advance + 2, 7, 14},
    {DAMA_FEATURE_advance + 3, 5, 8},
    {DAMA_FEATURE_advance + 4, 3, 4},
    {DAMA_FEATURE_centre, 6, 3},
    {DAMA_FEATURE_centre + 2, 6, 8},
    {DAMA_FEATURE_edge, -4, -2},
    {DAMA_FEATURE_edge + 1, -4, -6},
    {DAMA_FEATURE_supported, 2, 2},
    {DAMA_FEATURE_supported + 1, 2, 1},
    {DAMA_FEATURE_balance, -2, -1},
    {DAMA_FEATURE_mobility, 1, 1},
    {DAMA_FEATURE_mobility + 1, 2, 2},
    {DAMA_FEATURE_blocked, -3, -4},
    {DAMA_FEATURE_runaway, 45, 60},
    {DAMA_FEATURE_runaway + 1, 30, 45},
    {DAMA_FEATURE_runaway + 2, 18, 30},
    {DAMA_FEATURE_runaway + 3, 10, 18},
    {DAMA_FEATURE_king_mobility, 2, 3},
    {DAMA_FEATURE_trapped_king, -25, -35},
    {DAMA_FEATURE_king_distance, 2, 2},
    {DAMA_FEATURE_king_company, 2, 2},
    {DAMA_FEATURE_the_move, 3, 8},
    {DAMA_FEATURE_the_move + 1, 1, 4},
    {DAMA_FEATURE_en_prise, -15, -15},
    {DAMA_FEATURE_turn, 2, 2},
};
static const struct setting large_board[] = {
    {DAMA_FEATURE_advance + 5, 2, 2},
    {DAMA_FEATURE_advance + 6, 1, 1},
    {DAMA_FEATURE_centre + 1, 3, 2},
};
/* Kings of one step: a single corner cages them, a double corner shelters them. */
static const struct setting short_kings[] = {
    {DAMA_FEATURE_corner_king, -10, -15},
    {DAMA_FEATURE_corner_king + 1, -3, 0},
};
static const struct setting flying_kings[] = {
    {DAMA_FEATURE_first_king, 40, 60},
    {DAMA_FEATURE_long_diagonal, 12, 20},
    {DAMA_FEATURE_long_diagonal + 1, 10, 20},
};
static const struct setting safe_kings[] = {
    {DAMA_FEATURE_first_king, 40, 50},
    {DAMA_FEATURE_king_shields, 6, 8},
};

/* Every man at home guards a little; the second and the fourth square from the left together, the
   bridge, keep most intruders out. */
static void set_back_row(struct dama_weights *out)
{
    enum { BRIDGE = 2 + 8, MAN_FIRST = 5, MAN_LAST = 3, BRIDGE_FIRST = 6, BRIDGE_LAST = 8 };
    for (unsigned pattern = 1; pattern < 16; pattern++) {
        int men = __builtin_popcount(pattern);
        bool has_bridge = (pattern & BRIDGE) == BRIDGE;
        int index = DAMA_FEATURE_back_row + (int)pattern - 1;
        out->w[0][index] = (int16_t)(men * MAN_FIRST + has_bridge * BRIDGE_FIRST);
        out->w[1][index] = (int16_t)(men * MAN_LAST + has_bridge * BRIDGE_LAST);
    }
}

void dama_weights_hand_set(const struct dama_rules *rules, struct dama_weights *out)
{
    begin(rules, out);
    apply(out, common, sizeof common / sizeof *common);
    set_back_row(out);
    if (rules->board_size == 10) {
        apply(out, large_board, sizeof large_board / sizeof *large_board);
    }
    if (rules->king_flies) {
        apply(out, flying_kings, sizeof flying_kings / sizeof *flying_kings);
    } else {
        apply(out, short_kings, sizeof short_kings / sizeof *short_kings);
    }
    if (!rules->man_captures_king) {
        apply(out, safe_kings, sizeof safe_kings / sizeof *safe_kings);
    }
}
