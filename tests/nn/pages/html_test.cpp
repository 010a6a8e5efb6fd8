// Text in a page, and the frame of one.
#include "nn/pages/html.h"

#include "tests/catch.h"

using namespace heed;

TEST_CASE("text cannot become markup, and what is invisible shows", "[nn][pages]") {
    CHECK(html_text("a < b & c > d") == "a &lt; b &amp; c &gt; d");
    CHECK(html_text("\"it's\"") == "&quot;it&#39;s&quot;");
    CHECK(html_text("</script><b>") == "&lt;/script&gt;&lt;b&gt;");
    CHECK(html_text("\x1b[31m") == "␛[31m");
    CHECK(html_text(std::string("a\0b", 3)) == "a␀b");
    CHECK(html_text("\xFFz") == "\uFFFDz");
    CHECK(html_text("√d_k ≤ 2\n\t·") == "√d_k ≤ 2\n\t·");
}

TEST_CASE("a page is whole in one file, and may load nothing", "[nn][pages]") {
    const std::string page = html_page({"a < b", "p { }\n", "<p>hello</p>\n", "run();\n"});
    CHECK(page.substr(0, 15) == "<!DOCTYPE html>");
    CHECK_THAT(page, Contains("<title>a &lt; b</title>"));
    CHECK_THAT(page, Contains("<style>\np { }\n</style>"));
    CHECK_THAT(page,
               Contains("<body>\n<p>hello</p>\n<script>\n\"use strict\";\nrun();\n</script>"));
    CHECK_THAT(page, Contains("content=\"default-src 'none'; "));
    CHECK_THAT(page, !Contains("http:"));
}
