/* Tests of JSON strings. */
#include "engine/cli/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void text_is_quoted_and_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *json;
    } cases[] = {
        {"", "\"\""},
        {"W:W21:B1", "\"W:W21:B1\""},
        {"a\"b\\c/d", "\"a\\\"b\\\\c/d\""},
        {"\t\n\x01", "\"\\u0009\\u000a\\u0001\""},
        {"d\xc3\xa1ma \xe2\x82\xac \xf0\x9f\x98\x80",
         "\"d\xc3\xa1ma \xe2\x82\xac \xf0\x9f\x98\x80\""},
        {"lone \xe9 byte", "\"lone \\ufffd byte\""},
        {"cut \xe2\x82", "\"cut \\ufffd\\ufffd\""},
        {"overlong \xc0\xaf", "\"overlong \\ufffd\\ufffd\""},
        {"surrogate \xed\xa0\x80", "\"surrogate \\ufffd\\ufffd\\ufffd\""},
        {"beyond \xf4\x90\x80\x80", "\"beyond \\ufffd\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *out = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&out, &size);
        assert_non_null(stream);
        dama_json_string(stream, cases[i].text);
        fclose(stream);
        assert_string_equal(out, cases[i].json);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_quoted_and_escaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
