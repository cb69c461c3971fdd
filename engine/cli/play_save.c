/* The end of a game that was played, and its record as PDN. */
#include "engine/cli/play.h"

#include <stdlib.h>
#include <time.h>

#include "engine/pdn.h"

struct dama_game_state dama_play_state(const struct dama_play *play)
{
    for (int side = 0; side < 2; side++) {
        if (play->has_resigned[side]) {
            return (struct dama_game_state){.termination = DAMA_END_RESIGNED,
                                            .result = side == DAMA_WHITE ? -1 : 1};
        }
    }
    return dama_game_state(play->game);
}

static void player_name(const struct dama_play *play, int side, char *out, size_t size)
{
    if (play->is_human[side]) {
        snprintf(out, size, "Player");
    } else {
        snprintf(out, size, "Dama (%s)", play->level->name);
    }
}

enum dama_status dama_play_save(const struct dama_play *play, const char *path,
                                struct dama_error *err)
{
    char white[64], black[64], date[64];
    player_name(play, DAMA_WHITE, white, sizeof white);
    player_name(play, DAMA_BLACK, black, sizeof black);
    time_t now = time(NULL);
    struct tm today;
    localtime_r(&now, &today);
    strftime(date, sizeof date, "%Y.%m.%d", &today);
    const struct dama_pdn_pair tags[] = {
        {"Event", "Casual game"}, {"Site", "?"},    {"Date", date},
        {"Round", "-"},           {"White", white}, {"Black", black},
    };
    int tag_count = sizeof tags / sizeof tags[0];
    struct dama_game_state state = dama_play_state(play);
    struct dama_text measure = {.at = NULL, .size = 0};
    dama_pdn_write(&measure, play->game, state, tags, tag_count);
    struct dama_text text = {.at = malloc(measure.length + 1), .size = measure.length + 1};
    if (!text.at) {
        return dama_fail(err, DAMA_MEMORY, "%s: out of memory", path);
    }
    dama_pdn_write(&text, play->game, state, tags, tag_count);
    enum dama_status status = dama_file_write(path, text.at, text.length, err);
    free(text.at);
    return status;
}
