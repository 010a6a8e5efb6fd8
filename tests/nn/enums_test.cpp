// What a cast makes of a number that is none of an enum's values: an error, wherever one is given.
#include "nn/heed.h"
#include "nn/text/split.h"
#include "tests/catch.h"
#include "tests/wrong_calls.h"

#include <sstream>

using namespace wrong_calls;

namespace {
template <class Enum>
Enum none() {
    return static_cast<Enum>(99);
}

// clang-format off
const Calls of_enums = {
    {"Activation", [] { activate(none<Activation>(), V({2})); }},
    {"Activation, below 0", [] { activate(static_cast<Activation>(-1), V({2})); }},
    {"Activation, its name", [] { name_of(none<Activation>()); }},
    {"Activation of a FeedForward", [] { FeedForward(2, 2, dice, {.activation = none<Activation>()}); }},
    {"Activation of a Gpt", [] { complete(GptConfig{.activation = none<Activation>()}); }},
    {"PositionKind", [] { complete(GptConfig{.positions = none<PositionKind>()}); }},
    {"PositionKind, its name", [] { name_of(none<PositionKind>()); }},
    {"NormKind", [] { complete(GptConfig{.norm = none<NormKind>()}); }},
    {"NormKind, its name", [] { name_of(none<NormKind>()); }},
    {"NormKind of a layer", [] { TransformerEncoderLayer(2, 1, 2, dice, {.norm_kind = none<NormKind>()}); }},
    {"NormKind, norm_of", [] { norm_of(none<NormKind>(), 2, {}); }},
    {"NormPlace", [] { TransformerEncoderLayer(2, 1, 2, dice, {.norm = none<NormPlace>()}); }},
    {"FinalNorm", [] { TransformerDecoder(1, 2, 1, 2, dice, {}, none<FinalNorm>()); }},
    {"RotatedPairs", [] { RotaryPositions(2, {.pairs = none<RotatedPairs>()}); }},
    {"Bias", [] { Linear(2, 2, dice, none<Bias>()); }},
    {"Reduction of mse_loss", [] { mse_loss(V({2}), V({2}), none<Reduction>()); }},
    {"Reduction of cross_entropy", [] { cross_entropy(V({1, 2}), ids({0}), {.reduction = none<Reduction>()}); }},
    {"Reduction of soft targets", [] { cross_entropy(V({1, 1}), V({1, 1}), {.reduction = none<Reduction>()}); }},
    {"Reduction of nll_loss", [] { nll_loss(V({1, 2}), ids({0}), {.reduction = none<Reduction>()}); }},
    {"Reduction of binary cross entropy", [] { binary_cross_entropy_with_logits(V({2}), V({2}), none<Reduction>()); }},
    {"LastBatch", [] { batches({1}, 1, none<LastBatch>()); }},
    {"LastBatch, shuffled", [] { shuffled_batches({1}, 1, dice, none<LastBatch>()); }},
    {"Punctuation", [] { WordTokenizer({"a b"}, {.punctuation = none<Punctuation>()}); }},
    {"WordOrder", [] { WordTokenizer({"a b"}, {.order = none<WordOrder>()}); }},
    {"DecayEmbeddings", [] { Linear x(2, 2, dice); decay_groups(x, none<DecayEmbeddings>()); }},
    {"GradientFault, its name", [] { name_of(none<GradientFault>()); }},
    {"TextSplit, its pattern", [] { pattern_of(none<TextSplit>()); }},
    {"StoredType", [] { write_safetensors("never_written", {}, {.type = none<StoredType>()}); }},
    {"SortOrder", [] { sort(V({2}), 0, none<SortOrder>()); }},
    {"SortOrder of argsort", [] { tensor::argsort(T({2}), 0, none<SortOrder>()); }},
    {"Take", [] { topk(V({2}), 1, 0, none<Take>()); }},
    {"Replacement", [] { tensor::multinomial(T({2}), 1, dice, none<Replacement>()); }},
};
// clang-format on

}  // namespace

TEST_CASE("a value that is none of its enum's is refused", "[nn][enums]") { check_all(of_enums); }

TEST_CASE("an enum's number that is no value is named", "[nn][enums]") {
    CHECK_THROWS_WITH(activate(none<Activation>(), V({2})),
                      Contains("activate: the activation is 99; its enum has only the values 0 to "
                               "3\n  at enums_test.cpp:"));
}
