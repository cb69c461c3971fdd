/* JSON strings from text of any origin. */
#include "engine/cli/json.h"

#include <stdbool.h>

int dama_utf8_length(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    unsigned char first = text[0];
    if (first < 0x80) {
        return 1;
    }
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_overlong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
    bool is_no_character = (first == 0xed && text[1] > 0x9f) || (first == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_no_character ? 0 : length;
}

void dama_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *at = text; *at;) {
        int length = dama_utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if ((unsigned char)*at < 0x20) {
            fprintf(out, "\\u%04x", *at);
        } else {
            fwrite(at, 1, (size_t)length, out);
        }
        at += length;
    }
    fputc('"', out);
}
