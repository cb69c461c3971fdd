/* Finds a shipped table among the embedded ones. */
#include "engine/tables/tables.h"

#include <string.h>

#include "engine/tables/embedded.h"

const unsigned char *dama_tables_find(const char *variant, size_t *size)
{
    for (const struct dama_embedded_table *table = dama_embedded_tables; table->variant; table++) {
        if (strcmp(table->variant, variant) == 0) {
            *size = table->size;
            return table->bytes;
        }
    }
    *size = 0;
    return NULL;
}
