/* The feature list as data: names, offsets and the canonical text behind the layout hash. */
#include "engine/features.h"

#include <assert.h>

#include "engine/text.h"

const struct dama_feature dama_features[] = {
#define X(name, count, meaning) {#name, DAMA_FEATURE_##name, count, meaning},
    DAMA_FEATURES(X)
#undef X
};
const int dama_features_count = sizeof dama_features / sizeof dama_features[0];

void dama_feature_name(int index, char *out, size_t size)
{
    assert(index >= 0 && index < DAMA_FEATURE_COUNT);
    int group = 0;
    while (index >= dama_features[group].offset + dama_features[group].count) {
        group++;
    }
    const struct dama_feature *feature = &dama_features[group];
    if (feature->count == 1) {
        dama_text_format(out, size, "%s", feature->name);
        return;
    }
    dama_text_format(out, size, "%s[%d]", feature->name, index - feature->offset);
}

size_t dama_features_format(char *out, size_t size)
{
    struct dama_text text = {.at = out, .size = size};
    for (int i = 0; i < dama_features_count; i++) {
        dama_text_add(&text, "%s %d\n", dama_features[i].name, dama_features[i].count);
    }
    return text.length;
}
