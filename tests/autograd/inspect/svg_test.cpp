// The text of pictures, and places that do not overlap.
#include "autograd/inspect/svg.h"

#include "tests/autograd/inspect/pictures.h"
#include "tests/catch.h"

#include <string>
#include <vector>

using namespace heed;

TEST_CASE("what is special in XML is escaped, what XML cannot hold is replaced",
          "[autograd][svg]") {
    CHECK(svg_text("a < b && \"c\" > 'd'") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
    CHECK(svg_text("</svg><script>") == "&lt;/svg&gt;&lt;script&gt;");
    CHECK(svg_text("√d_k · 漢 🙂") == "√d_k · 漢 🙂");
    const std::string replaced = "\xef\xbf\xbd";
    CHECK(svg_text(std::string("a\0b", 3)) == "a" + replaced + "b");
    CHECK(svg_text("\x1b[1m\x7f") == replaced + "[1m" + replaced);
    CHECK(svg_text("\xff") == replaced);
    CHECK(svg_text("\xc3") == replaced);                                // cut off
    CHECK(svg_text("\xc0\xaf") == replaced + replaced);                 // "/" in two bytes
    CHECK(svg_text("\xe0\x80\xaf") == replaced + replaced + replaced);  // and in three
    CHECK(svg_text("\xed\xa0\x80") == replaced + replaced + replaced);  // half a surrogate pair
    CHECK(svg_text("\xef\xbf\xbf") == replaced);                        // U+FFFF
}

TEST_CASE("numbers have at most two decimals, and none that are zeros", "[autograd][svg]") {
    CHECK(svg_number(12) == "12");
    CHECK(svg_number(12.5) == "12.5");
    CHECK(svg_number(-0.126) == "-0.13");
    CHECK(svg_number(100) == "100");
    CHECK(svg_number(-0.001) == "0");
}

TEST_CASE("a picture says what it is, and its elements follow in order", "[autograd][svg]") {
    SvgPicture picture(20, 10.5, "A & B", "two <boxes>");
    picture.rect(1, 2, 3, 4, "h-box");
    picture.begin("here");
    picture.line(0, 0, 1, 1, "h-axis");
    picture.end();
    picture.text(5, 6, "x < y", "h-mid");
    picture.shade(0, 0, 1, 1, "h-f0", 0.5);
    picture.circle(3, 3, 2, "h-f1");
    picture.path("M0 0L1 1", "h-s0");
    const std::string svg = picture.str();
    CHECK(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heed-picture\" "
                    "role=\"img\" width=\"20\" height=\"10.5\" viewBox=\"0 0 20 10.5\">\n"
                    "<title>A &amp; B</title>\n<desc>two &lt;boxes&gt;</desc>\n<style>",
                    0) == 0);
    CHECK(body_of(svg) == "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" class=\"h-box\"/>\n"
                          "<g><title>here</title>\n"
                          "<line x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\" class=\"h-axis\"/>\n"
                          "</g>\n"
                          "<text x=\"5\" y=\"6\" class=\"h-mid\">x &lt; y</text>\n"
                          "<rect x=\"0\" y=\"0\" width=\"1\" height=\"1\" class=\"h-f0\" "
                          "fill-opacity=\"0.5\"/>\n"
                          "<circle cx=\"3\" cy=\"3\" r=\"2\" class=\"h-f1\"/>\n"
                          "<path d=\"M0 0L1 1\" class=\"h-s0\"/>\n");
}

TEST_CASE("a picture fetches nothing", "[autograd][svg]") {
    const std::string svg = SvgPicture(1, 1, "", "").str();
    CHECK(count_of(svg, "http") == 1);  // the name of the format
    for (const char* part : {"src=", "href", "@import", "url("}) CHECK(count_of(svg, part) == 0);
}

TEST_CASE("places that have room stay, others move apart as little as they can",
          "[autograd][svg]") {
    const auto spread = [](const std::vector<double>& wanted, double least, double most) {
        return spread_apart(wanted, std::vector<double>(wanted.size(), 10),
                            std::vector<double>(wanted.size(), 1), least, most);
    };
    CHECK(spread({0, 20, 40}, -100, 100) == std::vector<double>{0, 20, 40});
    CHECK(spread({20, 20}, -100, 100) == std::vector<double>{15, 25});
    CHECK(spread({20, 22, 80}, -100, 100) == std::vector<double>{16, 26, 80});
    CHECK(spread({0, 0, 0}, 0, 100) == std::vector<double>{0, 10, 20});
    CHECK(spread({95, 100}, 0, 100) == std::vector<double>{90, 100});
    CHECK(spread({5, 5, 5}, 0, 12) == std::vector<double>{0, 10, 20});  // no room
    CHECK(spread({}, 0, 12).empty());
    // The heavy one moves a quarter of the way of the light one.
    CHECK(spread_apart({20, 20}, {0, 10}, {4, 1}) == std::vector<double>{18, 28});
}
