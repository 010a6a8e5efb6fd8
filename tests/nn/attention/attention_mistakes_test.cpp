// Our attention obeys every law, and each mistake breaks at least one, so the laws can fail.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/nn/attention/attention_mistakes.h"

#include <iostream>

using namespace heed;

namespace {
using Broken = std::vector<std::string>;

std::string listed(const Broken& laws) {
    std::string text;
    for (const std::string& law : laws) text += "\n  " + law;
    return text;
}

// Calls `broken_by` for each mistake; none may pass. Returns how many were caught.
template <class BrokenBy>
std::size_t caught(const std::vector<std::string>& all, BrokenBy broken_by, bool tell) {
    std::size_t count = 0;
    for (const std::string& mistake : all) {
        const Broken laws = broken_by(mistake);
        if (tell) std::cout << mistake << ": " << laws.size() << " laws" << listed(laws) << "\n";
        INFO(mistake);
        CHECK(!laws.empty());
        count += !laws.empty();
    }
    return count;
}

laws::Softmax softmax_with(const std::string& mistake) {
    return [=](const Variable& scores) { return mistakes::wrong_softmax(mistake, scores); };
}

laws::Attend attention_with(const std::string& mistake) {
    return [=](const Variable& Q, const Variable& K, const Variable& V,
               const std::optional<Mask>& mask) {
        return mistakes::wrong_attention(mistake, Q, K, V, mask);
    };
}

laws::MultiHead multi_head_with(const std::string& mistake) {
    return
        [=](const MultiHeadAttention& layer, const Variable& X, const std::optional<Mask>& mask) {
            return mistakes::wrong_multi_head(mistake, layer, X, mask);
        };
}

std::size_t planted_and_caught(bool tell) {
    std::size_t count = 0;
    count += caught(
        mistakes::of_softmax(),
        [](const std::string& mistake) { return laws::broken_by(softmax_with(mistake)); }, tell);
    count += caught(
        mistakes::of_attention(),
        [](const std::string& mistake) { return laws::broken_by(attention_with(mistake)); }, tell);
    count += caught(
        mistakes::of_multi_head(),
        [](const std::string& mistake) { return laws::broken_by(multi_head_with(mistake)); }, tell);
    return count;
}

}  // namespace

TEST_CASE("heed's softmax and attention obey every law", "[nn][attention][laws]") {
    CHECK(listed(laws::broken_by([](const Variable& x) { return softmax(x, -1); })) == "");
    CHECK(listed(laws::broken_by([](const Variable& Q, const Variable& K, const Variable& V,
                                    const std::optional<Mask>& mask) {
              return scaled_dot_product_attention(Q, K, V, mask);
          })) == "");
    CHECK(listed(laws::broken_by([](const Variable& Q, const Variable& K, const Variable& V,
                                    const std::optional<Mask>& mask) {
              return attend(ScaledDotScore(), Q, K, V, {.mask = mask});
          })) == "");
}

TEST_CASE("multi-head attention obeys every law", "[nn][attention][laws]") {
    using Layer = const MultiHeadAttention&;
    using X = const Variable&;
    using Masked = const std::optional<Mask>&;
    CHECK(listed(laws::broken_by(
              [](Layer layer, X x, Masked mask) { return layer.with_weights(x, mask); })) == "");
}

TEST_CASE("the implementations without a mistake obey every law", "[nn][attention][laws]") {
    CHECK(listed(laws::broken_by(softmax_with(""))) == "");
    CHECK(listed(laws::broken_by(attention_with(""))) == "");
    CHECK(listed(laws::broken_by(multi_head_with(""))) == "");
}

TEST_CASE("each mistake in softmax, attention, masks and heads breaks a law",
          "[nn][attention][laws]") {
    const std::size_t planted = mistakes::of_softmax().size() + mistakes::of_attention().size() +
                                mistakes::of_multi_head().size();
    CHECK(planted == 57);
    CHECK(planted_and_caught(false) == planted);
}

// heed_tests "[planted]" prints which laws each mistake breaks.
TEST_CASE("which law each mistake breaks", "[.][planted]") {
    const std::size_t count = planted_and_caught(true);
    std::cout << count << " mistakes caught\n";
}
