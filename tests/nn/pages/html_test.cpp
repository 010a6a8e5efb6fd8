// HTML: text that stays text, data that cannot end its element, and a page that fetches nothing.
#include "tests/catch.h"

#include "nn/pages/html.h"

using heed::html_page;
using heed::html_text;
using heed::json_for_script;

TEST_CASE("an element has its attributes and its content", "[nn][html]") {
    CHECK(heed::html_element("b", "", "x") == "<b>x</b>");
    CHECK(heed::html_element("p", "class=\"a\"", heed::html_element("i", "", "")) ==
          "<p class=\"a\"><i></i></p>");
}

TEST_CASE("html_text escapes markup and shows what cannot be seen", "[nn][html]") {
    CHECK(html_text("a < b && \"c\" > 'd'") ==
          "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
    CHECK(html_text("</script>") == "&lt;/script&gt;");
    CHECK(html_text("\x1b[31m\x7f" + std::string(1, '\0')) == "␛[31m␡␀");
    CHECK(html_text("one\ttwo\nthree") == "one\ttwo\nthree");
    CHECK(html_text("a\u202Eb\u2066c\u200F") == "a&lt;U+202E&gt;b&lt;U+2066&gt;c&lt;U+200F&gt;");
    CHECK(html_text("\u0085") == "&lt;U+0085&gt;");
    CHECK(html_text("a\xff\xc3") == "a\uFFFD\uFFFD");
    CHECK(html_text("né 語 👩\u200D💻") == "né 語 👩\u200D💻");
    CHECK(html_text("") == "");
}

TEST_CASE("json_for_script cannot end a script element or a line", "[nn][html]") {
    CHECK(json_for_script(R"(["</script>", "<!--", "a>b&c"])") ==
          R"(["\u003c/script>", "\u003c!--", "a>b&c"])");
    CHECK(json_for_script("\"a\u2028b\u2029c\u2027\"") == "\"a\\u2028b\\u2029c\u2027\"");
    CHECK(json_for_script("\xE2\x80") == "\xE2\x80");
}

TEST_CASE("a page has its frame, and no script element without a script", "[nn][html]") {
    const std::string head =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n";
    CHECK(html_page("Q & A", "p { margin: 0 }\n", "<p>x</p>\n", "") ==
          head + "<title>Q &amp; A</title>\n<style>\np { margin: 0 }\n</style>\n</head>\n<body>\n"
                 "<p>x</p>\n</body>\n</html>\n");
    CHECK(html_page("t", "", "", "\"use strict\";\n") ==
          head + "<title>t</title>\n<style>\n</style>\n</head>\n<body>\n"
                 "<script>\n\"use strict\";\n</script>\n</body>\n</html>\n");
}
