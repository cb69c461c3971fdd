/* Judging a game that was read, and writing its rows. */
#include "selfplay/import_game.h"

#include "selfplay/record.h"

const char *dama_import_reason_text(enum dama_import_reason reason)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_IMPORT_REASONS(X)
#undef X
    };
    return texts[reason];
}

static enum dama_import_reason leave_out(const struct dama_pdn_game *pdn,
                                         enum dama_import_reason reason, struct dama_error *err)
{
    dama_fail(err, DAMA_INVALID, "%s:%d: game %d: %s", pdn->file, pdn->line, pdn->number,
              dama_import_reason_text(reason));
    return reason;
}

static bool is_known(enum dama_pdn_result result)
{
    return result == DAMA_PDN_WHITE_WON || result == DAMA_PDN_BLACK_WON || result == DAMA_PDN_DRAWN;
}

/* The tag's result and that behind the moves, when both are there, must agree. */
static enum dama_import_reason find_result(const struct dama_rules *rules,
                                           const struct dama_pdn_game *pdn, int *out)
{
    enum dama_pdn_result result = dama_pdn_game_result(rules, pdn);
    enum dama_pdn_result end = dama_pdn_result_parse(rules, pdn->terminator);
    if (!is_known(result)) {
        return DAMA_IMPORT_NO_RESULT;
    }
    *out = (int)result;
    return is_known(end) && end != result ? DAMA_IMPORT_CONTRADICTION : DAMA_IMPORT_TAKEN;
}

static bool is_possible(const struct dama_rules *rules, const struct dama_position *start)
{
    int men = dama_rules_men(rules);
    struct dama_error ignored = {0};
    return dama_bits_count(start->pieces[DAMA_WHITE]) <= men &&
           dama_bits_count(start->pieces[DAMA_BLACK]) <= men &&
           dama_position_check_moves(rules, start, &ignored) == DAMA_OK;
}

/* Whether the moves as they were read can be data. */
static enum dama_import_reason judge_replay(const struct dama_rules *rules,
                                            const struct dama_pdn_replay *replay)
{
    if (replay->is_broken) {
        return DAMA_IMPORT_SET_UP_AGAIN;
    }
    if (!is_possible(rules, replay->count ? &replay->plies[0].position : &replay->final)) {
        return DAMA_IMPORT_SET_UP;
    }
    if (replay->count == 0) {
        return DAMA_IMPORT_NO_MOVES;
    }
    if (replay->count > UINT16_MAX) {
        return DAMA_IMPORT_TOO_LONG;
    }
    return replay->is_ambiguous ? DAMA_IMPORT_AMBIGUOUS : DAMA_IMPORT_TAKEN;
}

/* How the game ended, by its last position and its result; NO_MOVE against the result is none. */
static enum dama_termination find_end(const struct dama_game *game, int result)
{
    struct dama_game_state state = dama_game_state(game);
    if (state.termination == DAMA_END_NO_MOVE) {
        return state.result == result ? DAMA_END_NO_MOVE : DAMA_END_ONGOING;
    }
    if (result != 0) {
        return DAMA_END_RESIGNED;
    }
    return state.termination == DAMA_END_ONGOING ? DAMA_END_ADJUDICATED : state.termination;
}

static enum dama_status play(struct dama_importer *importer, struct dama_shard *out,
                             struct dama_error *err)
{
    const struct dama_pdn_replay *replay = &importer->replay;
    dama_game_reset(importer->game, &replay->plies[0].position);
    for (int i = 0; i < replay->count; i++) {
        struct dama_row row =
            dama_record_row(importer->game, replay->plies[i].move, DAMA_SCORE_NONE, false);
        row.game = (uint32_t)out->games;
        DAMA_TRY(dama_shard_add_row(out, &row, err));
        if (dama_game_play(importer->game, replay->plies[i].move) != DAMA_OK) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a game");
        }
    }
    return DAMA_OK;
}

/* Rows, labels and the game row; on failure the caller takes back what was appended. */
static enum dama_import_reason append(struct dama_importer *importer,
                                      const struct dama_pdn_game *pdn, int result,
                                      struct dama_shard *out, struct dama_error *err)
{
    struct dama_game_row entry = {
        .id = out->games ? out->game[0].id + out->games : 0,
        .first_row = out->rows,
        .result = (int8_t)result,
    };
    if (play(importer, out, err) != DAMA_OK) {
        return DAMA_IMPORT_DAMAGED;
    }
    enum dama_termination end = find_end(importer->game, result);
    if (end == DAMA_END_ONGOING) {
        return leave_out(pdn, DAMA_IMPORT_CONTRADICTION, err);
    }
    entry.rows = (uint32_t)(out->rows - entry.first_row);
    entry.plies = (uint16_t)importer->game->ply;
    entry.termination = (uint8_t)end;
    entry.opening = (uint64_t)importer->file << 32 | (uint64_t)pdn->number;
    dama_record_label(out, entry.first_row, result);
    return dama_shard_add_game(out, &entry, err) == DAMA_OK ? DAMA_IMPORT_TAKEN
                                                            : DAMA_IMPORT_DAMAGED;
}

enum dama_import_reason dama_import_game(struct dama_importer *importer,
                                         const struct dama_pdn_game *pdn, struct dama_shard *out,
                                         struct dama_error *err)
{
    const struct dama_rules *rules = NULL;
    struct dama_error reason = {0};
    const struct dama_rules *given =
        importer->is_given || !dama_pdn_tag(pdn, "GameType") ? importer->rules : NULL;
    if (dama_pdn_rules(pdn, given, &rules, &reason) != DAMA_OK ||
        !dama_rules_equal(rules, importer->rules)) {
        return leave_out(pdn, DAMA_IMPORT_OTHER_GAME, err);
    }
    int result = 0;
    enum dama_import_reason found = find_result(rules, pdn, &result);
    if (found != DAMA_IMPORT_TAKEN) {
        return leave_out(pdn, found, err);
    }
    if (dama_pdn_replay(pdn, rules, importer->squares, &importer->replay, err) != DAMA_OK) {
        return DAMA_IMPORT_DAMAGED;
    }
    if (pdn->error.status != DAMA_OK) {
        dama_fail(err, pdn->error.status, "%s", pdn->error.text);
        return DAMA_IMPORT_DAMAGED;
    }
    found = judge_replay(rules, &importer->replay);
    if (found != DAMA_IMPORT_TAKEN) {
        return leave_out(pdn, found, err);
    }
    size_t rows = out->rows;
    found = append(importer, pdn, result, out, err);
    out->rows = found == DAMA_IMPORT_TAKEN ? out->rows : rows;
    return found;
}
