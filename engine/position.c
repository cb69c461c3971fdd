/* Positions: the start, the mirror, the hash key and the check of what was read. */
#include "engine/position.h"

struct dama_position dama_position_start(const struct dama_rules *rules)
{
    struct dama_position position = {.side = rules->first_mover};
    for (int i = 0; i < rules->men_rows; i++) {
        position.pieces[DAMA_BLACK] |= dama_board_row(rules->board_size, i);
        position.pieces[DAMA_WHITE] |= dama_board_row(rules->board_size, rules->board_size - 1 - i);
    }
    return position;
}

struct dama_position dama_position_mirror(const struct dama_rules *rules,
                                          const struct dama_position *position)
{
    int size = rules->board_size;
    return (struct dama_position){
        .pieces = {dama_bits_turn(size, position->pieces[DAMA_BLACK]),
                   dama_bits_turn(size, position->pieces[DAMA_WHITE])},
        .kings = dama_bits_turn(size, position->kings),
        .side = position->side ^ 1,
    };
}

/* The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): each bit of the input reaches each
   of the output. */
static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return key ^ key >> 31;
}

uint64_t dama_position_hash(const struct dama_position *position)
{
    /* Odd constants keep the four words apart; each is mixed on top of the last. */
    uint64_t key = mix(position->pieces[DAMA_WHITE] + UINT64_C(0x9e3779b97f4a7c15));
    key = mix(key ^ position->pieces[DAMA_BLACK]);
    key = mix(key + (position->kings << 1 | position->side));
    return key;
}

enum dama_status dama_position_check(const struct dama_rules *rules,
                                     const struct dama_position *position, struct dama_error *err)
{
    int size = rules->board_size;
    uint64_t both = position->pieces[DAMA_WHITE] & position->pieces[DAMA_BLACK];
    uint64_t any = position->pieces[DAMA_WHITE] | position->pieces[DAMA_BLACK];
    if (position->side > DAMA_BLACK) {
        return dama_fail(err, DAMA_INVALID, "side to move: expected 0 or 1, found %lu",
                         position->side);
    }
    uint64_t outside = (any | position->kings) & ~dama_board_all(size);
    if (outside) {
        return dama_fail(err, DAMA_INVALID, "bit %d is no square of the %dx%d board",
                         dama_bits_first(outside), size, size);
    }
    if (both) {
        return dama_fail(err, DAMA_INVALID, "square %d holds pieces of both sides",
                         dama_bit_square(size, dama_bits_first(both)));
    }
    uint64_t loose = position->kings & ~any;
    if (loose) {
        return dama_fail(err, DAMA_INVALID, "square %d has a king that belongs to no side",
                         dama_bit_square(size, dama_bits_first(loose)));
    }
    uint64_t uncrowned = (dama_position_men(position, DAMA_WHITE) & dama_board_row(size, 0)) |
                         (dama_position_men(position, DAMA_BLACK) & dama_board_row(size, size - 1));
    if (uncrowned) {
        return dama_fail(err, DAMA_INVALID, "square %d has a man on its crowning row",
                         dama_bit_square(size, dama_bits_first(uncrowned)));
    }
    return DAMA_OK;
}
