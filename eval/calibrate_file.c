/* Writing calibrated levels into a levels file. */
#include "eval/calibrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/options.h"

enum { FILE_BYTES_MAX = 1 << 20 };

/* Whether a line is a level of the variant, or its measured scores. */
static bool is_of_variant(const char *line, const char *variant)
{
    if (strncmp(line, "# ", 2) == 0) {
        size_t length = strlen(variant);
        return strncmp(line + 2, variant, length) == 0 && line[2 + length] == ':';
    }
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        static const char *const names[] = {
#define X(name, against, low, middle, high) #name,
            DAMA_CALIBRATION_STEPS(X)
#undef X
        };
        char key[DAMA_NAME_SIZE + 32];
        int length = snprintf(key, sizeof key, "%s.%s =", variant, names[i]);
        if (strncmp(line, key, (size_t)length) == 0) {
            return true;
        }
    }
    return false;
}

static void write_others(FILE *out, char *text, const char *variant)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!is_of_variant(line, variant)) {
            fprintf(out, "%s\n", line);
        }
    }
}

static void write_levels(FILE *out, const char *variant, const struct dama_calibration *calibration)
{
    fprintf(out, "# %s:", variant);
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        const struct dama_calibration_step *step = &calibration->steps[i];
        fprintf(out, "%s %s %.1f %% +- %.1f against %s", i ? "," : "", step->level.name,
                step->percent, step->error, dama_calibration_opponent(i));
    }
    fprintf(out, "\n");
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        const struct dama_level *level = &calibration->steps[i].level;
        fprintf(out, "%s.%s = \"nodes %" PRIu64 " depth %d noise %d margin %d\"\n", variant,
                level->name, level->nodes, level->depth, level->noise, level->margin);
    }
}

enum dama_status dama_calibration_check_file(const char *path, struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, FILE_BYTES_MAX, &bytes, &size, err));
    enum dama_status status = dama_file_write(path, bytes, size, err);
    free(bytes);
    return status;
}

enum dama_status dama_calibration_write(const char *path, const char *variant,
                                        const struct dama_calibration *calibration,
                                        struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    char *written = NULL;
    size_t written_size = 0;
    DAMA_TRY(dama_file_read(path, FILE_BYTES_MAX, &bytes, &size, err));
    char *text = malloc(size + 1);
    FILE *out = open_memstream(&written, &written_size);
    bool is_made = text && out;
    if (is_made) {
        memcpy(text, bytes, size);
        text[size] = 0;
        write_others(out, text, variant);
        write_levels(out, variant, calibration);
    }
    if (out && fclose(out) != 0) {
        is_made = false;
    }
    if (is_made) {
        dama_file_write(path, written, written_size, err);
    } else {
        dama_fail(err, DAMA_MEMORY, "%s: no memory for the levels", path);
    }
    free(written);
    free(text);
    free(bytes);
    return err->status;
}
