// What a cast makes of a number that is none of an enum's values: an error, wherever one is given.
#include "nn/heed.h"
#include "nn/text/split.h"
#include "tests/catch.h"
#include "tests/wrong_calls.h"

#include "nn/pages/attention_data.h"
#include "nn/pages/color.h"
#include "nn/text/byte_fallback_bpe.h"
#include "nn/text/byte_level_bpe.h"

#include <memory>

using namespace wrong_calls;

namespace {
template <class Enum>
Enum none() {
    return static_cast<Enum>(99);
}

const std::shared_ptr<const Vocabulary> no_bytes =
    std::make_shared<const Vocabulary>(std::vector<std::pair<std::string, std::int64_t>>{{"a", 0}},
                                       std::vector<AddedToken>{}, "none", CallSite::here());

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
    {"NormKind, norm_of", [] { norm_of(none<NormKind>(), 2, {}); }},
    {"NormPlace of a decoder's layer", [] { TransformerDecoderLayer(2, 1, 2, dice, {.norm = none<NormPlace>()}); }},
    {"NormPlace of a TextEncoder", [] { complete(TextEncoderConfig{.norm = none<NormPlace>()}); }},
    {"Activation of a TextEncoder", [] { complete(TextEncoderConfig{.activation = none<Activation>()}); }},
    {"Activation of an encoder's layer", [] { TransformerEncoderLayer(2, 1, 2, dice, {.activation = none<Activation>()}); }},
    {"Activation of a decoder's layer", [] { TransformerDecoderLayer(2, 1, 2, dice, {.activation = none<Activation>()}); }},
    {"FinalNorm of an encoder", [] { TransformerEncoder(1, 2, 1, 2, dice, {}, none<FinalNorm>()); }},
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
    {"LastBatch of a stream", [] { BatchStream({1}, 1, dice, none<LastBatch>()); }},
    {"PaddingSide of pad_sequences", [] { pad_sequences({ids({1})}, 0, none<PaddingSide>()); }},
    {"PaddingSide of words", [] { WordTokenizer({"a b"}).encode_batch({"a"}, 0, none<PaddingSide>()); }},
    {"PaddingSide of a tokenizer", [] { train_byte_pairs("a", 257).encode_batch({"a"}, 0, {.padding = none<PaddingSide>()}); }},
    {"PaddingSide of a batch", [] { TokenBatch{ids({1}), {1}, none<PaddingSide>()}.mask(); }},
    {"StoredType", [] { write_safetensors("enums_test", {}, {.type = none<StoredType>()}); }},
    {"StoredType, the first after the last", [] { write_safetensors("enums_test", {}, {.type = static_cast<StoredType>(4)}); }},
    {"StoredType of save", [] { save("enums_test", Linear(2, 2, dice), {.type = none<StoredType>()}); }},
    {"TextSplit", [] { ByteLevelBpe(no_bytes, {}, {.split = none<TextSplit>()}, "", CallSite::here()); }},
    {"TextSplit, its pattern", [] { pattern_of(none<TextSplit>()); }},
    {"DigitSplit", [] { ByteLevelBpe(no_bytes, {}, {.digits = none<DigitSplit>()}, "", CallSite::here()); }},
    {"BlankBefore", [] { ByteFallbackBpe(no_bytes, {}, {.blank = none<BlankBefore>()}, "", CallSite::here()); }},
    {"AttentionDetail", [] { attention_json({}, none<AttentionDetail>()); }},
    {"ColorChoice", [] { terminal::color_level(none<terminal::ColorChoice>()); }},
    {"ColorChoice of an environment", [] { terminal::color_level(none<terminal::ColorChoice>(), {}, true); }},
    {"ColorLevel", [] { terminal::use_colors(none<terminal::ColorLevel>()); }},
    {"ColorLevel of a weight", [] { terminal::color_of(0.5, none<terminal::ColorLevel>()); }},
    {"ColorLevel of a painted text", [] { terminal::painted("a", 0.5, none<terminal::ColorLevel>()); }},
    {"ColorLevel of a background", [] { terminal::on_color("a", {0, 0, 0}, none<terminal::ColorLevel>()); }},
    {"GradientFault", [] { name_of(none<GradientFault>()); }},
    {"Punctuation", [] { WordTokenizer({"a b"}, {.punctuation = none<Punctuation>()}); }},
    {"WordOrder", [] { WordTokenizer({"a b"}, {.order = none<WordOrder>()}); }},
    {"DecayEmbeddings", [] { Linear x(2, 2, dice); decay_groups(x, none<DecayEmbeddings>()); }},
    {"SortOrder", [] { sort(V({2}), 0, none<SortOrder>()); }},
    {"SortOrder of argsort", [] { tensor::argsort(T({2}), 0, none<SortOrder>()); }},
    {"Take", [] { topk(V({2}), 1, 0, none<Take>()); }},
    {"Replacement", [] { tensor::multinomial(T({2}), 1, dice, none<Replacement>()); }},
};
// clang-format on

}  // namespace

TEST_CASE("a value that is none of its enum's is refused", "[nn][enums]") {
    check_all(of_enums);
    for (const WrongCall& wrong : of_enums) {  // for this reason, and for no other
        INFO(wrong.what);
        CHECK_THROWS_WITH(wrong.call(), Contains("; its enum has only the values 0 to "));
    }
}

TEST_CASE("an enum's number that is no value is named", "[nn][enums]") {
    CHECK_THROWS_WITH(activate(none<Activation>(), V({2})),
                      Contains("activate: the activation is 99; its enum has only the values 0 to "
                               "3\n  at enums_test.cpp:"));
}
