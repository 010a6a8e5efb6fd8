// The recorded attention of GPT-2, compiled in.
#include "tests/catch.h"

#include "nn/pages/attention_svg.h"
#include "tensor/ops.h"
#include "tutorials/support/gpt2_attention.h"

#include <fstream>
#include <iterator>

using namespace tutorial;
using heed::Shape;
using heed::Tensor;

TEST_CASE("GPT-2's recorded weights are causal rows that sum to 1", "[tutorials][gpt2]") {
    const Gpt2Attention& gpt2 = recorded_gpt2_attention();
    REQUIRE(gpt2.weights.shape() == Shape{12, 12, 6, 6});
    REQUIRE(gpt2.tokens.size() == 6);
    REQUIRE(gpt2.words.size() == 6);
    const Tensor sums = heed::tensor::sum(gpt2.weights, {-1});
    CHECK(heed::tensor::max_difference(sums, heed::tensor::ones_like(sums)) < 4e-6);
    for (std::int64_t query = 0; query < 6; ++query) {
        for (std::int64_t key = query + 1; key < 6; ++key) {
            const Tensor later =
                heed::tensor::select(heed::tensor::select(gpt2.weights, 2, query), 2, key);
            CHECK((later == 0).all());
        }
    }
}

// Numbers read in ex2.js, the file the recording was made from.
TEST_CASE("GPT-2's recorded weights stand at the head, query and key they belong to",
          "[tutorials][gpt2]") {
    const Gpt2Attention& gpt2 = recorded_gpt2_attention();
    CHECK(gpt2.head(6, 7)(1, 0) == Approx(0.985517680644989).margin(6e-7));
    CHECK(gpt2.head(6, 8)(3, 1) == Approx(0.42563527822494507).margin(6e-7));
    CHECK(gpt2.head(6, 9)(5, 2) == Approx(0.019788401201367378).margin(6e-7));
    CHECK(gpt2.head(6, 10)(5, 5) == Approx(0.00694543169811368).margin(6e-7));
    CHECK(gpt2.head(4, 11)(2, 1) > 0.999);
    CHECK(gpt2.tokens[5] == " the");
    CHECK(gpt2.words[5] == "the");
}

TEST_CASE("a record for each layer has its heads, with words and mask", "[tutorials][gpt2]") {
    const Gpt2Attention& gpt2 = recorded_gpt2_attention();
    const std::vector<heed::AttentionRecord> records = gpt2.records();
    REQUIRE(records.size() == 12);
    CHECK(records[4].name == "layer 4");
    CHECK(
        heed::tensor::same_bits(heed::tensor::select(records[4].weights, 0, 11), gpt2.head(4, 11)));
    CHECK(records[4].key_tokens[0][2] == "spaceship");
    CHECK(*records[4].mask == heed::Mask::causal(6));
}

#ifndef HEED_DOUBLE
TEST_CASE("the README's picture is what attention_svg draws", "[tutorials][gpt2]") {
    std::ifstream file(HEED_README_PICTURE);
    const std::string kept{std::istreambuf_iterator<char>(file), {}};
    CHECK(kept == heed::attention_svg(recorded_gpt2_attention().records()[9], {8}));
}
#endif
