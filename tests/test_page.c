/* Pages of a report: the whole text and the whole HTML of a small one. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "eval/page.h"

static const char *const heads[] = {"name", "games", NULL};
static const char *const no_heads[] = {"", "", NULL};

static void fill(struct dama_page *page)
{
    dama_page_start(page, "A & B", "small");
    dama_page_section(page, "first", "First <one>", "What it is.");
    dama_page_table(page, heads);
    dama_page_heading(page, "even: \"%d\"", 2);
    dama_page_cell(page, "café");
    dama_page_cell(page, "%d", 7);
    dama_page_cell(page, "gen-000");
    dama_page_cell(page, "-");
    dama_page_show(page);
    dama_page_section(page, "second", "Second", NULL);
    dama_page_note(page, "%d notes", 1);
    dama_page_table(page, no_heads);
    dama_page_cell(page, "seed");
    dama_page_cell(page, "1");
    dama_page_cell(page, "hash");
    dama_page_cell(page, "12ab");
    dama_page_show(page);
    dama_page_end(page);
}

/* The page's text, to be freed. */
static char *write_page(bool is_html)
{
    char *text = NULL;
    size_t size = 0;
    struct dama_page page = {.out = open_memstream(&text, &size), .is_html = is_html};
    assert_non_null(page.out);
    fill(&page);
    assert_int_equal(page.err.status, DAMA_OK);
    assert_int_equal(fclose(page.out), 0);
    return text;
}

static void text_is_aligned_by_characters(void **state)
{
    (void)state;
    char *text = write_page(false);
    assert_string_equal(text, "A & B\nsmall\n"
                              "\n== First <one>\nWhat it is.\n"
                              "name     games\n"
                              "-- even: \"2\"\n"
                              "café         7\n"
                              "gen-000      -\n"
                              "\n== Second\n1 notes\n"
                              "seed  1\n"
                              "hash  12ab\n");
    free(text);
}

static void html_is_escaped_and_closed(void **state)
{
    (void)state;
    char *text = write_page(true);
    const char *body = strstr(text, "<h1>");
    assert_non_null(body);
    assert_string_equal(
        body, "<h1>A &amp; B</h1>\n<p class=\"subtitle\">small</p>\n"
              "<section id=\"first\">\n<h2>First &lt;one&gt;</h2>\n<p>What it is.</p>\n"
              "<div class=\"wide\"><table>\n"
              "<thead><tr><th class=\"text\">name</th><th>games</th></tr></thead>\n<tbody>\n"
              "<tr><th class=\"group\" colspan=\"2\">even: &quot;2&quot;</th></tr>\n"
              "<tr><td class=\"text\">café</td><td>7</td></tr>\n"
              "<tr><td class=\"text\">gen-000</td><td>-</td></tr>\n"
              "</tbody></table></div>\n</section>\n"
              "<section id=\"second\">\n<h2>Second</h2>\n<p>1 notes</p>\n"
              "<div class=\"wide\"><table>\n<tbody>\n"
              "<tr><td class=\"text\">seed</td><td class=\"text\">1</td></tr>\n"
              "<tr><td class=\"text\">hash</td><td class=\"text\">12ab</td></tr>\n"
              "</tbody></table></div>\n</section>\n</main>\n</body>\n</html>\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_aligned_by_characters),
        cmocka_unit_test(html_is_escaped_and_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
