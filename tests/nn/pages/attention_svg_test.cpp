// A still of one head as SVG.
#include "tests/catch.h"

#include "nn/pages/attention_svg.h"
#include "tensor/ops.h"
#include "tests/message_of.h"
#include "tests/nn/pages/tiny_record.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace heed;

TEST_CASE("a tiny still has these bytes", "[nn][attention_svg]") {
    const std::string svg = attention_svg(tiny());
    CHECK(
        svg.substr(0, svg.find("<rect x=\"44\"")) ==
        R"svg(<svg xmlns="http://www.w3.org/2000/svg" role="img" width="260" height="172" viewBox="0 0 260 172" font-family="system-ui, sans-serif" font-size="12">
<title>tiny</title>
<desc>Attention weights of 2 queries (rows) over 2 keys (columns).</desc>
<rect width="100%" height="100%" fill="#fff"/>
<text x="8" y="18" font-weight="600">tiny</text>
<text x="24" y="80" text-anchor="end">a</text>
<text x="24" y="120" text-anchor="end">&lt;b</text>
<text transform="translate(56 48) rotate(-90)">a</text>
<text transform="translate(96 48) rotate(-90)">&lt;b</text>
<g><title>a → a: 1.0000</title><rect x="32" y="56" width="39" height="39" fill="#441a63"/><text x="52" y="80" text-anchor="middle" fill="#fff">1.00</text></g>
<text x="92" y="80" text-anchor="middle" fill="#777">·</text>
<g><title>&lt;b → a: 0.2500</title><rect x="32" y="96" width="39" height="39" fill="#afdea0"/><text x="52" y="120" text-anchor="middle">0.25</text></g>
<g><title>&lt;b → &lt;b: 0.7500</title><rect x="72" y="96" width="39" height="39" fill="#34648c"/><text x="92" y="120" text-anchor="middle" fill="#fff">0.75</text></g>
<text x="32" y="158">0</text>
)svg");
    CHECK(svg.substr(svg.find("<text x=\"148\"")) ==
          "<text x=\"148\" y=\"158\">1&#160;&#160;· masked</text>\n</svg>\n");
}

TEST_CASE("a still of one head of a batch has its numbers and tokens", "[nn][attention_svg]") {
    AttentionRecord record{.name = "m"};
    record.weights =
        tensor::reshape(tensor::of({0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08}), {2, 2, 1, 2});
    record.query_tokens = {{"first"}, {"second"}};
    const std::string svg = attention_svg(record, {1, 0});
    CHECK(svg.find(">0.05</text>") != std::string::npos);
    CHECK(svg.find(">0.06</text>") != std::string::npos);
    CHECK(svg.find("0.07") == std::string::npos);
    CHECK(svg.find(">second</text>") != std::string::npos);
    CHECK(svg.find("<title>m [1, 0]</title>") != std::string::npos);
    CHECK(svg.find("masked") == std::string::npos);
}

TEST_CASE("hostile tokens are text in a still", "[nn][attention_svg]") {
    AttentionRecord record = tiny();
    record.query_tokens =
        record.key_tokens = {{"</svg><script>alert(1)</script>", std::string(300, 'w')}};
    const std::string svg = attention_svg(record);
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find(">&lt;/svg&gt;&lt;script&gt;a…</text>") != std::string::npos);
    CHECK(svg.find(">" + std::string(15, 'w') + "…</text>") != std::string::npos);
}

TEST_CASE("an index that does not fit is refused", "[nn][attention_svg]") {
    CHECK(message_of<std::invalid_argument>([] { attention_svg(tiny(), {0}); }) ==
          "attention_svg: the index [0] does not fit the weights [2, 2]: it must have an entry for "
          "each axis before the last two, so 0");
    AttentionRecord record{.name = "m"};
    record.weights = tensor::ones({3, 1, 1});
    CHECK(message_of<std::invalid_argument>([&] { attention_svg(record, {3}); }) ==
          "attention_svg: the index [3] does not fit the weights [3, 1, 1]: entry 3 of axis 0, "
          "whose length is 3");
    record = tiny();
    record.query_tokens = {{"a"}};
    CHECK(message_of<std::invalid_argument>([&] { attention_svg(record); }) ==
          "attention_svg: 1 query is named, but the weights [2, 2] of \"tiny\" have 2 rows");
}

TEST_CASE("a still is written whole", "[nn][attention_svg]") {
    const auto path = std::filesystem::temp_directory_path() / "heed_attention_svg_test.svg";
    save_attention_svg(path.string(), tiny());
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    CHECK(text.str() == attention_svg(tiny()));
    std::filesystem::remove(path);
    CHECK(message_of<std::runtime_error>([&] {
              save_attention_svg((path / "no" / "x.svg").string(), tiny());
          }).find("no/x.svg") != std::string::npos);
}
