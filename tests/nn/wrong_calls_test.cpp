// Layers and attention made and called wrongly (see wrong_calls.h).
#include "tests/wrong_calls.h"

#include "nn/heed.h"

using namespace wrong_calls;

namespace {
// clang-format off
const Calls of_layers = {
    {"Linear", [] { Linear(0, 1, dice); }},
    {"Linear, huge", [] { Linear(huge, huge, dice); }},
    {"Linear()", [] { Linear(2, 3, dice)(V({2, 3})); }},
    {"Embedding", [] { Embedding(2, 0, dice); }},
    {"Embedding, huge", [] { Embedding(huge, huge, dice); }},
    {"Embedding, padding", [] { Embedding(2, 2, dice, 2); }},
    {"Embedding()", [] { Embedding(2, 2, dice)(ids({2})); }},
    {"Embedding(), a ninth axis",
     [] { Embedding(2, 2, dice)(IndexTensor({0}, Shape(eight_axes))); }},
    {"TokenAndPositionEmbedding", [] { TokenAndPositionEmbedding(2, 0, 2, dice); }},
    {"TokenAndPositionEmbedding, huge", [] { TokenAndPositionEmbedding(huge, huge, huge, dice); }},
    {"TokenAndPositionEmbedding()", [] { TokenAndPositionEmbedding(2, 1, 2, dice)(ids({0, 0})); }},
    {"TokenAndPositionEmbedding(), id", [] { TokenAndPositionEmbedding(2, 1, 2, dice)(ids({2})); }},
    {"LayerNorm", [] { LayerNorm(Dims{0}); }},
    {"LayerNorm, huge", [] { LayerNorm(Dims{huge, huge}); }},
    {"LayerNorm, eps", [] { LayerNorm(Dims{2}, {.eps = -1}); }},
    {"LayerNorm()", [] { LayerNorm(Dims{2})(V({2, 3})); }},
    {"Dropout", [] { Dropout(1, dice); }},
    {"Sequential()", [] { Sequential({Linear(2, 3, dice), Tanh(), Linear(2, 3, dice)})(V({2})); }},
    {"Sequential, first", [] { Sequential({Linear(2, 3, dice)})(V({3})); }},
    {"Sequential::at", [] { Sequential({Tanh()}).at<Tanh>(1); }},
    {"Sequential::at, type", [] { Sequential({Tanh()}).at<Relu>(0); }},
    {"cross_entropy", [] { cross_entropy(V({2, 3}), ids({0})); }},
    {"cross_entropy, weights", [] { cross_entropy(V({2, 3}), ids({0, 1}), {.class_weights = T({2})}); }},
    {"cross_entropy, soft", [] { cross_entropy(V({2, 3}), V({3})); }},
    {"cross_entropy, no probabilities", [] { cross_entropy(V({2, 3}), V({2, 3}) * 0 + 2); }},
    {"nll_loss", [] { nll_loss(V({2, 3}), ids({0})); }},
    {"nll_loss of logits", [] { nll_loss(V({2, 3}) * 0 + 1, ids({0, 1})); }},
    {"binary_cross_entropy_with_logits", [] { binary_cross_entropy_with_logits(V({2, 3}), V({2})); }},
    {"binary_cross_entropy_with_logits, targets", [] { binary_cross_entropy_with_logits(V({2}), V({2}) * 0 + 2); }},
    {"Softmax", [] { Softmax(2)(V({2, 3})); }},
    {"cross_entropy, target", [] { cross_entropy(V({2, 3}), ids({0, 3})); }},
    {"mse_loss", [] { mse_loss(V({2, 3}), V({3, 2})); }},
    {"SGD", [] { SGD({V({2})}, {.lr = -1}); }},
    {"SGD, a constant", [] { SGD({Variable(T({2}))}); }},
    {"Adam", [] { Adam({V({2})}, {.beta1 = 2}); }},
    {"AdamW", [] { AdamW({V({2})}, {.eps = -1}); }},
    {"clip_grad_norm", [] { clip_grad_norm({V({2})}, -1); }},
    {"replace_parameters", [] { Linear x(2, 3, dice); replace_parameters(x, {}); }},
    {"load_state_dict", [] { Linear x(2, 3, dice); load_state_dict(x, StateDict()); }},
    {"StateDict::at", [] { StateDict().at("x"); }},
    {"StateDict::take", [] { StateDict().take("x"); }},
    {"WordTokenizer", [] { WordTokenizer(std::vector<std::string>{}); }},
    {"WordTokenizer::encode", [] { WordTokenizer({"a b"}).encode("c"); }},
    {"WordTokenizer::decode", [] { WordTokenizer({"a b"}).decode(ids({2})); }},
    {"WordTokenizer::id", [] { WordTokenizer({"a b"}).id("c"); }},
    {"WordTokenizer::word", [] { WordTokenizer({"a b"}).word(2); }},
    {"WordTokenizer::from_vocabulary", [] { WordTokenizer::from_vocabulary({"a", "a"}); }},
};
// clang-format on

// clang-format off
const Calls of_attention = {
    {"scaled, features", [] { scaled_dot_product_attention(V({2, 3}), V({2, 4}), V({2, 3})); }},
    {"scaled, keys", [] { scaled_dot_product_attention(V({2, 3}), V({2, 3}), V({3, 3})); }},
    {"scaled, batch",
     [] { scaled_dot_product_attention(V({2, 2, 3}), V({3, 2, 3}), V({3, 2, 3})); }},
    {"scaled, grouped",
     [] { scaled_dot_product_attention(V({2, 4, 2, 3}), V({2, 2, 2, 3}), V({2, 2, 2, 3})); }},
    {"scaled, mask",
     [] { scaled_dot_product_attention(V({2, 3}), V({2, 3}), V({2, 3}), Mask::causal(3)); }},
    {"scaled, rank", [] { scaled_dot_product_attention(V({3}), V({2, 3}), V({2, 3})); }},
    {"scaled, huge",
     [] { scaled_dot_product_attention(V({huge / 16, 1}), V({huge / 16, 1}), V({huge / 16, 1})); }},
    {"dot_product_attention", [] { dot_product_attention(V({2, 3}), V({2, 4}), V({2, 3})); }},
    {"dot_product_attention, batch",
     [] { dot_product_attention(V({2, 2, 3}), V({3, 2, 3}), V({3, 2, 3})); }},
    {"attend", [] { attend(DotScore(), V({2, 3}), V({2, 4}), V({2, 3})); }},
    {"attend, temperature",
     [] { attend(DotScore(), V({2, 3}), V({2, 3}), V({2, 3}), {.temperature = -1}); }},
    {"apply_mask", [] { apply_mask(V({2, 3}), Mask::causal(2)); }},
    {"DotScore, batch", [] { DotScore()(V({2, 2, 3}), V({3, 2, 3})); }},
    {"ScaledDotScore, batch", [] { ScaledDotScore()(V({2, 2, 3}), V({3, 2, 3})); }},
    {"ScaledDotScore", [] { ScaledDotScore()(V({2, 3}), V({2, 4})); }},
    {"AdditiveScore", [] { AdditiveScore(1, 0, 1, dice); }},
    {"AdditiveScore, huge", [] { AdditiveScore(huge, 1, huge, dice); }},
    {"AdditiveScore()", [] { AdditiveScore(2, 2, 2, dice)(V({2, 3}), V({2, 2})); }},
    {"AdditiveScore(), batch", [] { AdditiveScore(3, 3, 2, dice)(V({2, 2, 3}), V({3, 2, 3})); }},
    {"AdditiveScore(), a ninth axis",
     [] { AdditiveScore(1, 1, 2, dice)(V(eight_axes), V(eight_axes)); }},
    {"BilinearScore", [] { BilinearScore(1, 0, dice); }},
    {"BilinearScore, huge", [] { BilinearScore(huge, huge, dice); }},
    {"BilinearScore()", [] { BilinearScore(2, 2, dice)(V({2, 3}), V({2, 2})); }},
    {"BilinearScore(), batch", [] { BilinearScore(3, 3, dice)(V({2, 2, 3}), V({3, 2, 3})); }},
    {"GaussianScore", [] { GaussianScore(0); }},
    {"GaussianScore()", [] { GaussianScore()(V({2, 3}), V({2, 4})); }},
    {"GaussianScore(), batch", [] { GaussianScore()(V({2, 2, 3}), V({3, 2, 3})); }},
    {"GaussianScore(), a ninth axis", [] { GaussianScore()(V(eight_axes), V(eight_axes)); }},
    {"split_heads", [] { split_heads(V({2, 3}), 2); }},
    {"split_heads, a ninth axis", [] { split_heads(V(eight_axes), 1); }},
    {"merge_heads", [] { merge_heads(V({2, 3})); }},
    {"without_heads", [] { without_heads(Mask::allowing(B({3, 2, 2}))); }},
    {"AttentionHead", [] { AttentionHead(0, 1, dice); }},
    {"AttentionHead, huge", [] { AttentionHead(huge, huge, dice); }},
    {"AttentionHead()", [] { AttentionHead(4, 2, dice)(V({2, 3})); }},
    {"AttentionHead(), batch", [] { AttentionHead(4, 2, dice)(V({2, 2, 4}), V({3, 2, 4})); }},
    {"AttentionHead(), mask", [] { AttentionHead(4, 2, dice)(V({2, 4}), Mask::causal(3)); }},
    {"MultiHeadAttention", [] { MultiHeadAttention(4, 3, dice); }},
    {"MultiHeadAttention, huge", [] { MultiHeadAttention(huge, 1, dice); }},
    {"MultiHeadAttention, d_head", [] { MultiHeadAttention(4, 2, dice, {.d_head = -1}); }},
    {"MultiHeadAttention()", [] { MultiHeadAttention(4, 2, dice)(V({2, 3})); }},
    {"MultiHeadAttention(), batch",
     [] { MultiHeadAttention(4, 2, dice)(V({2, 2, 4}), V({3, 2, 4})); }},
    {"MultiHeadAttention(), keys",
     [] { MultiHeadAttention(4, 2, dice)(V({2, 4}), V({2, 4}), V({3, 4})); }},
    {"MultiHeadAttention(), mask",
     [] { MultiHeadAttention(4, 2, dice)(V({2, 4}), Mask::causal(3)); }},
    {"MultiHeadAttention(), a ninth axis", [] { MultiHeadAttention(1, 1, dice)(V(eight_axes)); }},
    {"with_weights", [] { MultiHeadAttention(4, 2, dice).with_weights(V({2, 3})); }},
    {"with_weights, batch",
     [] { MultiHeadAttention(4, 2, dice).with_weights(V({2, 2, 4}), V({3, 2, 4})); }},
    {"OwnAttention, no function", [] { OwnAttention(OwnAttention::Function{}); }},
    {"RecordAttention::at", [] { RecordAttention().at("x"); }},
};
// clang-format on

// clang-format off
const Calls of_training = {
    {"AdamW, a group", [] { AdamW({{.parameters = {V({2})}, .lr_factor = -1}, {}}); }},
    {"decay_groups", [] { Sequential x{Dropout(0.5, dice)}; x.add(x.at<Dropout>(0)); decay_groups(x); }},
    {"WarmupConstant", [] { WarmupConstant{}(1); }},
    {"WarmupCosine", [] { WarmupCosine{.lr = 1}(1); }},
    {"WarmupLinear", [] { WarmupLinear{.lr = 1, .steps = 1}(0); }},
    {"WarmupInverseRoot", [] { WarmupInverseRoot{}(1); }},
    {"batches", [] { batches({}, 1); }},
    {"shuffled_batches", [] { shuffled_batches({1}, 0, dice); }},
    {"hold_out", [] { hold_out({1}, 0.5, dice); }},
    {"hold_out, a text", [] { hold_out(ids({1, 2}), 2); }},
    {"TextWindows", [] { TextWindows(ids({1}), 1); }},
    {"TextWindows::batch", [] { TextWindows(ids({1, 2}), 1).batch({1}); }},
    {"pad_sequences", [] { pad_sequences({}, 0); }},
    {"SequencePairs", [] { SequencePairs({}, {}, 0); }},
    {"SequencePairs::batch", [] { SequencePairs({ids({1})}, {ids({1})}, 0).batch({}); }},
    {"ExponentialAverage", [] { ExponentialAverage(2); }},
    {"ExponentialAverage::add", [] { ExponentialAverage().add(infinity); }},
    {"ExponentialAverage::value", [] { ExponentialAverage().value(); }},
    {"check_finite_loss", [] { check_finite_loss(infinity, 1); }},
};
// clang-format on

GptSteps& steps() {
    static const Gpt model({.vocab_size = 3, .limit = 2, .d_model = 2, .num_heads = 1}, dice);
    static GptSteps its_steps(model);
    return its_steps;
}

// clang-format off
const Calls of_models = {
    {"Gpt", [] { Gpt({.num_layers = 0}, dice); }},
    {"Gpt, huge", [] { Gpt({.vocab_size = huge}, dice); }},
    {"Gpt, heads", [] { Gpt({.num_heads = 3}, dice); }},
    {"Gpt, rotary", [] { Gpt({.num_heads = 64, .positions = PositionKind::rotary}, dice); }},
    {"Gpt, dropout", [] { Gpt({.dropout = -1}, dice); }},
    {"Gpt()", [] { Gpt({.vocab_size = 2}, dice)(ids({2})); }},
    {"Gpt(), limit", [] { Gpt({.limit = 1}, dice)(ids({1, 1})); }},
    {"Gpt(), axes", [] { Gpt({}, dice)(IndexTensor({1}, Shape(eight_axes))); }},
    {"Gpt::with_past", [] { GptCache cache{{{}}}; Gpt({}, dice).with_past(ids({1}), cache); }},
    {"Gpt::next_logits", [] { GptCache cache; Gpt({}, dice).next_logits(IndexTensor(), cache); }},
    {"TextEncoder", [] { TextEncoder({.limit = 0}, dice); }},
    {"TextClassifier", [] { TextClassifier({}, 0, dice); }},
    {"TextClassifier()", [] { TextClassifier({}, 2, dice)(IndexTensor()); }},
    {"MeanClassifier", [] { MeanClassifier({.num_classes = 0}, dice); }},
    {"MeanClassifier()", [] { MeanClassifier({}, dice)(ids({1}), Mask::causal(1)); }},
    {"sampling_probabilities", [] { sampling_probabilities(T({2}), {.top_p = 0}); }},
    {"sampling_probabilities, tokens", [] { sampling_probabilities(T({0})); }},
    {"GptSteps::read", [] { steps().read(ids({0, 0, 0})); }},
    {"generate", [] { generate(steps(), ids({3}), dice); }},
    {"generate, room", [] { generate(steps(), ids({0}), dice, {.max_new_tokens = 3}); }},
    {"generate, sampling", [] { generate(steps(), ids({0}), dice, {.sampling = {.top_k = -1}}); }},
    {"beam_search", [] { beam_search(steps(), ids({0}), {.num_beams = 0}); }},
    {"beam_search, id", [] { beam_search(steps(), ids({3})); }},
};
// clang-format on

}  // namespace

TEST_CASE("wrong models name the caller's line", "[nn][wrong]") { check_all(of_models); }

TEST_CASE("wrong layers name the caller's line", "[nn][wrong]") { check_all(of_layers); }

TEST_CASE("wrong training names the caller's line", "[nn][wrong]") { check_all(of_training); }

TEST_CASE("wrong attention names the caller's line", "[nn][wrong]") { check_all(of_attention); }
