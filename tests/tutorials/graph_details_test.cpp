// A drawn graph whose layers unfold.
#include "tutorials/support/graph_details.h"

#include "nn/heed.h"
#include "tests/autograd/inspect/pictures.h"
#include "tests/catch.h"

#include <string>

using namespace heed;

TEST_CASE("each layer unfolds, one like an earlier one is named", "[tutorials][graph_details]") {
    const GraphDrawing like{"Linear", "a.cpp:7", 2, "<svg a/>\n", {}};
    const GraphDrawing other{"Norm <1>", "b.cpp:8", 1, "<svg b/>\n", {like}};
    const std::string html =
        tutorial::graph_details({"", "", 5, "<svg all/>\n", {like, other, like}});
    CHECK(html == "<svg all/>\n"
                  "<details><summary>1 Linear at a.cpp:7: 2 operations</summary>\n"
                  "<svg a/>\n"
                  "</details>\n"
                  "<details><summary>2 Norm &lt;1&gt; at b.cpp:8: 1 operation</summary>\n"
                  "<svg b/>\n"
                  "<details><summary>3 Linear at a.cpp:7: 2 operations</summary>\n"
                  "<p>As in 1.</p>\n"
                  "</details>\n"
                  "</details>\n"
                  "<details><summary>4 Linear at a.cpp:7: 2 operations</summary>\n"
                  "<p>As in 1.</p>\n"
                  "</details>\n");
}

TEST_CASE("twelve equal blocks are drawn once", "[tutorials][graph_details]") {
    Random random(1);
    const Gpt gpt({.vocab_size = 9, .limit = 8, .d_model = 8, .num_layers = 12, .num_heads = 2},
                  random);
    const std::string html = tutorial::graph_details(graph_drawing(gpt(IndexTensor({1, 2, 3}))));
    CHECK(count_of(html, " GptBlock at ") == 12);
    // The first has the embedded tokens above it, the others a block.
    CHECK(count_of(html, "<title>Inside GptBlock</title>") <= 2);
    CHECK(count_of(html, "<details>") == count_of(html, "</details>"));
}
