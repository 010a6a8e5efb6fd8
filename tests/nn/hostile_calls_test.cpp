// Each layer of nn/ called as a hostile reader would: wrong ranks, no entries, huge sizes, NaN in
// options, parts that were moved from or replaced, aliases, a wrong order of calls. That each layer
// has its calls is checked against nn/ (tests/source_rules/check_layers.cmake).
#include "tests/message_of.h"
#include "tests/nn/hostile_calls.h"

#include <cstdlib>

using namespace hostile;

namespace {
const double NaN = __builtin_nan("");
const Variable X = V({3, 4});  // [T, d_model]
const IndexTensor ids({0, 3, 1});
const GptConfig small =
    complete(GptConfig{.vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 2, .num_heads = 2});
const TextEncoderConfig text_config = {
    .vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2};
const MeanClassifierConfig mean_config = {
    .vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2};
const TransformerSizes sizes = {
    .d_model = 4, .num_heads = 2, .num_encoder_layers = 1, .num_decoder_layers = 1, .d_hidden = 8};
const TransformerOptions no_norm_place = {.norm = static_cast<NormPlace>(9)};
constexpr Activation no_activation = static_cast<Activation>(99);
constexpr PositionKind no_positions = static_cast<PositionKind>(99);

// A copy of the small config with one thing changed.
template <class Change>
GptConfig changed(const Change& change) {
    GptConfig config = small;
    change(config);
    return config;
}

Linear linear() { return Linear(4, 3, dice); }
LayerNorm layer_norm() { return LayerNorm(4); }
Embedding embedding() { return Embedding(5, 4, dice); }
AdditiveScore additive() { return AdditiveScore(4, 4, 3, dice); }
AttentionHead head() { return AttentionHead(4, 2, dice); }
MultiHeadAttention multi_head() { return MultiHeadAttention(4, 2, dice); }
MultiHeadAttention grouped() { return MultiHeadAttention(8, 4, dice, {.num_kv_heads = 2}); }
GruCell gru_cell() { return GruCell(4, 2, dice); }
GRU gru() { return GRU(4, 2, dice, {.num_layers = 2, .bidirectional = true}); }
LstmCell lstm_cell() { return LstmCell(4, 2, dice); }
LSTM lstm() { return LSTM(4, 2, dice, {.num_layers = 2, .bidirectional = true}); }
FeedForward feed_forward() { return FeedForward(4, 8, dice, {.gated = true}); }
TransformerEncoderLayer encoder_layer() { return TransformerEncoderLayer(4, 2, 8, dice); }
TransformerDecoderLayer decoder_layer() { return TransformerDecoderLayer(4, 2, 8, dice); }
TransformerEncoder encoder() { return TransformerEncoder(2, 4, 2, 8, dice); }
TransformerDecoder decoder() { return TransformerDecoder(2, 4, 2, 8, dice); }
Transformer transformer() { return Transformer(sizes, dice); }
GptBlock block() { return GptBlock(small, dice); }
Gpt gpt() { return Gpt(small, dice); }
MeanClassifier mean_classifier() { return MeanClassifier(mean_config, dice); }
TextEncoder text_encoder() { return TextEncoder(text_config, dice); }
TextEncoder bert() {
    TextEncoderConfig config = text_config;
    config.norm = NormPlace::after;
    config.num_token_types = 2;
    config.pooler = true;
    return TextEncoder(config, dice);
}
TextClassifier text_classifier() { return TextClassifier(text_config, 2, dice); }

const auto of_X = [](const auto& layer) { layer(X); };
const auto of_ids = [](const auto& layer) { layer(ids); };
const auto of_pairs = [](const auto& layer) { layer(X, X); };

// clang-format off
const std::vector<Case> simple_layers = {
    {"Linear", "no inputs", [] { return not_made([] { Linear(0, 3, dice); }); }},
    {"Linear", "huge", [] { return not_made([] { Linear(huge, huge, dice); }); }},
    {"Linear", "no such bias", [] { return not_made([] { Linear(2, 3, dice, static_cast<Bias>(7)); }); }},
    {"Linear", "another bias", [] { return refused(linear(), [](Linear& f) { f.bias = Parameter(tensor::ones({4})); }, of_X); }},
    {"Linear", "a bias for each row", [] { return refused(linear(), [](Linear& f) { f.bias = Parameter(tensor::ones({3, 3})); }, of_X); }},
    {"Dropout", "NaN", [] { return not_made([] { Dropout(NaN, dice); }); }},
    {"Dropout", "all", [] { return not_made([] { Dropout(1, dice); }); }},
    {"Dropout", "set to NaN", [] { return refused(Dropout(0.5, dice), [](Dropout f) { f.set_p(NaN); }); }},
    {"Dropout", "of more than memory", [] { return refused(Dropout(0.5, dice), [](const Dropout& f) { f(repeated({huge})); }); }},
    {"LayerNorm", "no axes", [] { return not_made([] { LayerNorm(Dims{}); }); }},
    {"LayerNorm", "NaN", [] { return not_made([] { LayerNorm(4, {.eps = NaN}); }); }},
    {"LayerNorm", "eps NaN afterwards", [] { return refused(layer_norm(), [](LayerNorm& f) { f.eps = NaN; }, of_X); }},
    {"LayerNorm", "eps negative afterwards", [] { return refused(layer_norm(), [](LayerNorm& f) { f.eps = -1; }, of_X); }},
    {"LayerNorm", "another bias", [] { return refused(layer_norm(), [](LayerNorm& f) { f.bias = Parameter(tensor::ones({1})); }, of_X); }},
    {"RMSNorm", "a length of 0", [] { return not_made([] { RMSNorm({4, 0}); }); }},
    {"RMSNorm", "infinite", [] { return not_made([] { RMSNorm(4, {.eps = infinity}); }); }},
    {"RMSNorm", "eps NaN afterwards", [] { return refused(RMSNorm(4), [](RMSNorm& f) { f.eps = NaN; }, of_X); }},
    {"Sequential", "no such layer", [] { return refused(Sequential{Tanh()}, [](const Sequential& f) { f.at<Tanh>(largest); }); }},
    {"Sequential", "index -1", [] { return refused(Sequential{Tanh()}, [](const Sequential& f) { f.at<Tanh>(-1); }); }},
    {"Sequential", "another type", [] { return refused(Sequential{Tanh()}, [](const Sequential& f) { f.at<Linear>(0); }); }},
    {"Sequential", "a layer moved from", [] { return refused(Sequential{linear()}, [](Sequential& f) { const Linear taken = std::move(f.at<Linear>(0)); }, of_X); }},
    {"Sequential", "adding what was moved from", [] { return refused(Sequential{}, [](Sequential f) { AnyLayer a = Tanh(); const AnyLayer b = std::move(a); f.add(a); }); }},
    {"Embedding", "no rows", [] { return not_made([] { Embedding(0, 4, dice); }); }},
    {"Embedding", "padding outside", [] { return not_made([] { Embedding(5, 4, dice, -1); }); }},
    {"Embedding", "padding outside afterwards", [] { return refused(embedding(), [](Embedding& f) { f.padding_idx = 5; }, of_ids); }},
    {"TokenAndPositionEmbedding", "huge", [] { return not_made([] { TokenAndPositionEmbedding(huge, huge, huge, dice); }); }},
    {"TokenAndPositionEmbedding", "other features", [] { return refused(TokenAndPositionEmbedding(5, 8, 4, dice), [](TokenAndPositionEmbedding& f) { f.position_embeddings = Embedding(8, 1, dice); }, of_ids); }},
    {"TokenAndPositionEmbedding", "padding outside afterwards", [] { return refused(TokenAndPositionEmbedding(5, 8, 4, dice), [](TokenAndPositionEmbedding& f) { f.token_embeddings.padding_idx = largest; }, of_ids); }},
};

const std::vector<Case> scores_and_positions = {
    {"DotScore", "other features", [] { return refused(DotScore(), [](const DotScore& f) { f(X, V({3, 5})); }); }},
    {"ScaledDotScore", "no features", [] { return refused(ScaledDotScore(), [](const ScaledDotScore& f) { f(V({3, 0}), V({3, 0})); }); }},
    {"ScaledDotScore", "more pairs than memory", [] { return refused(ScaledDotScore(), [](const ScaledDotScore& f) { f(repeated({huge, 4}), repeated({huge, 4})); }); }},
    {"AdditiveScore", "no hidden", [] { return not_made([] { AdditiveScore(4, 4, 0, dice); }); }},
    {"AdditiveScore", "another hidden size", [] { return refused(additive(), [](AdditiveScore& f) { f.W_k = Linear(4, 1, dice, no_bias); }, of_pairs); }},
    {"AdditiveScore", "two scores a pair", [] { return refused(additive(), [](AdditiveScore& f) { f.v = Linear(3, 2, dice, no_bias); }, of_pairs); }},
    {"BilinearScore", "huge", [] { return not_made([] { BilinearScore(huge, huge, dice); }); }},
    {"BilinearScore", "other features", [] { return refused(BilinearScore(4, 4, dice), [](const BilinearScore& f) { f(X, V({3, 5})); }); }},
    {"GaussianScore", "NaN", [] { return not_made([] { GaussianScore{NaN}; }); }},
    {"GaussianScore", "a square of 0", [] { return not_made([] { GaussianScore{1e-200}; }); }},
    {"GaussianScore", "NaN afterwards", [] { return refused(GaussianScore(), [](GaussianScore& f) { f.width = NaN; }, of_pairs); }},
    {"GaussianScore", "0 afterwards", [] { return refused(GaussianScore(), [](GaussianScore& f) { f.width = 0; }, of_pairs); }},
    {"GaussianScore", "negative afterwards", [] { return refused(GaussianScore(), [](GaussianScore& f) { f.width = -1; }, of_pairs); }},
    {"LearnedPositions", "first -1", [] { return refused(LearnedPositions(8, 4, dice), [](const LearnedPositions& f) { f.added_to(X, -1); }); }},
    {"LearnedPositions", "first beyond", [] { return refused(LearnedPositions(8, 4, dice), [](const LearnedPositions& f) { f.added_to(X, largest); }); }},
    {"SinusoidalPositions", "no features", [] { return not_made([] { SinusoidalPositions(0); }); }},
    {"SinusoidalPositions", "first -1", [] { return refused(SinusoidalPositions(4), [](const SinusoidalPositions& f) { f.added_to(X, -1); }); }},
    {"SinusoidalPositions", "first beyond", [] { return refused(SinusoidalPositions(4), [](const SinusoidalPositions& f) { f.added_to(X, largest - 1); }); }},
    {"SinusoidalPositions", "a table from -1", [] { return refused(SinusoidalPositions(4), [](const SinusoidalPositions& f) { f.table(3, -1); }); }},
    {"SinusoidalPositions", "a table of -1", [] { return refused(SinusoidalPositions(4), [](const SinusoidalPositions& f) { f.table(-1); }); }},
    {"SinusoidalPositions", "a table beyond", [] { return refused(SinusoidalPositions(4), [](const SinusoidalPositions& f) { f.table(3, largest - 2); }); }},
    {"SinusoidalPositions", "d 0 afterwards", [] { return refused(SinusoidalPositions(4), [](SinusoidalPositions& f) { f.d = 0; }, [](const SinusoidalPositions& f) { f.table(3); }); }},
    {"RotaryPositions", "no such pairs", [] { return not_made([] { RotaryPositions(4, {.pairs = static_cast<RotatedPairs>(9)}); }); }},
    {"RotaryPositions", "NaN", [] { return not_made([] { RotaryPositions(4, {.base = NaN}); }); }},
    {"RotaryPositions", "a NaN factor", [] { return not_made([] { RotaryPositions(4, {.scaling = {.factor = NaN}}); }); }},
    {"RotaryPositions", "factor 0 afterwards", [] { return refused(RotaryPositions(4), [](RotaryPositions& f) { f.options.scaling.factor = 0; }, [](const RotaryPositions& f) { f.turned(X); }); }},
    {"RotaryPositions", "first -1", [] { return refused(RotaryPositions(4), [](const RotaryPositions& f) { f.turned(X, -1); }); }},
    {"RotaryPositions", "first beyond", [] { return refused(RotaryPositions(4), [](const RotaryPositions& f) { f.turned(X, largest); }); }},
    {"RotaryPositions", "odd afterwards", [] { return refused(RotaryPositions(4), [](RotaryPositions& f) { f.options.d_rotated = 3; }, [](const RotaryPositions& f) { f.turned(X); }); }},
    {"RotaryPositions", "more than d afterwards", [] { return refused(RotaryPositions(4), [](RotaryPositions& f) { f.options.d_rotated = 6; }, [](const RotaryPositions& f) { f.turned(X); }); }},
    {"RotaryPositions", "base 0 afterwards", [] { return refused(RotaryPositions(4), [](RotaryPositions& f) { f.options.base = 0; }, [](const RotaryPositions& f) { f.turned(X); }); }},
    {"RotaryPositions", "a limit of -1 afterwards", [] { return refused(RotaryPositions(4), [](RotaryPositions& f) { f.options.limit = -1; }, [](const RotaryPositions& f) { f.turned(X); }); }},
    {"RelativeBias", "first -1", [] { return refused(RelativeBias(2, 3), [](const RelativeBias& f) { f.bias(3, 3, -1); }); }},
    {"RelativeBias", "first beyond", [] { return refused(RelativeBias(2, 3), [](const RelativeBias& f) { f.bias(3, 3, largest - 1); }); }},
    {"RelativeBias", "-1 queries", [] { return refused(RelativeBias(2, 3), [](const RelativeBias& f) { f.bias(-1, 3); }); }},
    {"RelativeBias", "huge", [] { return refused(RelativeBias(2, 3), [](const RelativeBias& f) { f.bias(huge, 1); }); }},
    {"RelativeBias", "without a middle", [] { return refused(RelativeBias(2, 3), [](RelativeBias& f) { f.weight = Parameter(tensor::ones({2, 6})); }, [](const RelativeBias& f) { f.bias(3, 3); }); }},
    {"Alibi", "first -1", [] { return refused(Alibi(2), [](const Alibi& f) { f.bias(3, 3, -1); }); }},
    {"Alibi", "first beyond", [] { return refused(Alibi(2), [](const Alibi& f) { f.bias(3, 3, largest - 1); }); }},
    {"Alibi", "-1 keys", [] { return refused(Alibi(2), [](const Alibi& f) { f.bias(3, -1); }); }},
    {"Alibi", "huge", [] { return refused(Alibi(2), [](const Alibi& f) { f.bias(huge, huge); }); }},
    {"Alibi", "huge, one key", [] { return refused(Alibi(2), [](const Alibi& f) { f.bias(huge, 1); }); }},
    {"Alibi", "no heads", [] { return not_made([] { Alibi(0); }); }},
    {"Alibi", "slopes cleared", [] { return refused(Alibi(2), [](Alibi& f) { f.slopes.clear(); }, [](const Alibi& f) { f.bias(3, 3); }); }},
    {"Alibi", "moved from", [] { return refused(Alibi(2), [](Alibi& f) { const Alibi taken = std::move(f); }, [](const Alibi& f) { f.bias(3, 3); }); }},
    {"Alibi", "a slope NaN", [] { return refused(Alibi(2), [](Alibi& f) { f.slopes[1] = NaN; }, [](const Alibi& f) { f.bias(3, 3); }); }},
    {"Alibi", "a slope infinite", [] { return refused(Alibi(2), [](Alibi& f) { f.slopes[0] = -infinity; }, [](const Alibi& f) { f.bias(3, 3); }); }},
};

const std::vector<Case> attention_layers = {
    {"AttentionHead", "scale NaN", [] { return not_made([] { AttentionHead(4, 2, dice, {.scale = NaN}); }); }},
    {"AttentionHead", "scale NaN afterwards", [] { return refused(head(), [](AttentionHead& f) { f.scale = NaN; }, of_X); }},
    {"AttentionHead", "soft cap 0 afterwards", [] { return refused(head(), [](AttentionHead& f) { f.soft_cap = 0; }, of_X); }},
    {"AttentionHead", "other keys", [] { return refused(head(), [](AttentionHead& f) { f.W_K = Linear(4, 3, dice); }, of_X); }},
    {"AttentionHead", "a mask of heads", [] { return refused(head(), [](const AttentionHead& f) { f(X, Mask::allowing(BoolTensor::full({2, 3, 3}, true))); }); }},
    {"AttentionHead", "odd features to turn", [] { return refused(head(), [](AttentionHead& f) { f.positions = RotaryPositions(4); }, of_X); }},
    {"AttentionHead", "slopes for two heads", [] { return refused(head(), [](AttentionHead& f) { f.positions = Alibi(2); }, of_X); }},
    {"MultiHeadAttention", "dropout NaN", [] { return not_made([] { MultiHeadAttention(4, 2, dice, {.dropout = NaN}); }); }},
    {"MultiHeadAttention", "scale infinite", [] { return not_made([] { MultiHeadAttention(4, 2, dice, {.scale = infinity}); }); }},
    {"MultiHeadAttention", "three heads afterwards", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.num_heads = 3; }, of_X); }},
    {"MultiHeadAttention", "no heads afterwards", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.num_heads = 0; }, of_X); }},
    {"MultiHeadAttention", "-2 heads afterwards", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.num_heads = -2; }, of_X); }},
    {"MultiHeadAttention", "2^63 - 1 heads afterwards", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.num_heads = largest; }, of_X); }},
    {"MultiHeadAttention", "moved from, as PyTorch's", [] { return refused(multi_head(), [](MultiHeadAttention& f) { const MultiHeadAttention taken = std::move(f); }, [](const MultiHeadAttention& f) { pytorch_state(f); }); }},
    {"MultiHeadAttention", "another output", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.W_O = Linear(4, 1, dice); }, of_X); }},
    {"MultiHeadAttention", "a group that does not divide", [] { return refused(grouped(), [](MultiHeadAttention& f) { f.W_K = f.W_V = Linear(8, 6, dice); }, [](const MultiHeadAttention& f) { f(V({3, 8})); }); }},
    {"MultiHeadAttention", "scale NaN afterwards", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.scale = NaN; }, of_X); }},
    {"MultiHeadAttention", "soft cap negative afterwards", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.soft_cap = -1; }, of_X); }},
    {"MultiHeadAttention", "slopes for three heads", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.positions = Alibi(3); }, of_X); }},
    {"MultiHeadAttention", "positions of other features", [] { return refused(multi_head(), [](MultiHeadAttention& f) { f.positions = RotaryPositions(4); }, of_X); }},
    {"MultiHeadAttention", "keys before there are any", [] { return refused(multi_head(), [](const MultiHeadAttention& f) { f.attending_to(KeyValueCache(), X); }); }},
};

const std::vector<Case> recurrent_layers = {
    {"GruCell", "no state", [] { return not_made([] { GruCell(4, 0, dice); }); }},
    {"GruCell", "four blocks", [] { return refused(gru_cell(), [](GruCell& f) { f.weights.weight_hh = Parameter(tensor::ones({8, 2})); }, [](const GruCell& f) { f(V({4}), V({2})); }); }},
    {"GruCell", "a state without a batch", [] { return refused(gru_cell(), [](const GruCell& f) { f(V({3, 4}), V({2})); }); }},
    {"GruCell", "the input as the state", [] { return refused(gru_cell(), of_pairs); }},
    {"GRU", "-1 layers", [] { return not_made([] { GRU(4, 2, dice, {.num_layers = -1}); }); }},
    {"GRU", "dropout NaN", [] { return not_made([] { GRU(4, 2, dice, {.dropout = NaN}); }); }},
    {"GRU", "weights cleared", [] { return refused(gru(), [](GRU& f) { f.weights.clear(); }, of_X); }},
    {"GRU", "a direction missing", [] { return refused(gru(), [](GRU& f) { f.weights.pop_back(); }, of_X); }},
    {"GRU", "of another size", [] { return refused(gru(), [](GRU& f) { f.weights[1] = GruCell(4, 3, dice).weights; }, of_X); }},
    {"GRU", "layers in another order", [] { return refused(gru(), [](GRU& f) { std::swap(f.weights[0], f.weights[3]); f.weights[1] = GruCell(3, 2, dice).weights; }, of_X); }},
    {"GRU", "half a bias", [] { return refused(gru(), [](GRU& f) { const Parameter taken = std::move(f.weights[0].bias_hh); }, of_X); }},
    {"GRU", "no tokens", [] { return refused(gru(), [](const GRU& f) { f(V({0, 4})); }); }},
    {"GRU", "a length of 0", [] { return refused(gru(), [](const GRU& f) { f(V({1, 3, 4}), {0}); }); }},
    {"GRU", "lengths without a batch", [] { return refused(gru(), [](const GRU& f) { f(X, {3}); }); }},
    {"GRU", "the input as the state", [] { return refused(gru(), [](const GRU& f) { f(X, {}, X); }); }},
    {"LstmCell", "huge", [] { return not_made([] { LstmCell(4, huge, dice); }); }},
    {"LstmCell", "a memory of another size", [] { return refused(lstm_cell(), [](const LstmCell& f) { f(V({4}), {V({2}), V({3})}); }); }},
    {"LstmCell", "no state yet", [] { return refused(lstm_cell(), [](const LstmCell& f) { f(V({4}), {}); }); }},
    {"LstmCell", "three blocks", [] { return refused(lstm_cell(), [](LstmCell& f) { f.weights = gru_cell().weights; }, [](const LstmCell& f) { f(V({4}), {V({2}), V({2})}); }); }},
    {"LSTM", "no inputs", [] { return not_made([] { LSTM(0, 2, dice); }); }},
    {"LSTM", "weights of a GRU", [] { return refused(lstm(), [](LSTM& f) { f.weights = gru().weights; }, of_X); }},
    {"LSTM", "weights cleared", [] { return refused(lstm(), [](LSTM& f) { f.weights.clear(); }, of_X); }},
    {"LSTM", "a direction too many", [] { return refused(lstm(), [](LSTM& f) { f.weights.push_back(f.weights[0]); }, of_X); }},
    {"LSTM", "half a state", [] { return refused(lstm(), [](const LSTM& f) { f(X, {}, LstmState{V({4, 2}), {}}); }); }},
    {"LSTM", "a length too many", [] { return refused(lstm(), [](const LSTM& f) { f(V({1, 3, 4}), {3, 3}); }); }},
    {"LSTM", "a length of 2^63 - 1", [] { return refused(lstm(), [](const LSTM& f) { f(V({1, 3, 4}), {largest}); }); }},
};

const std::vector<Case> blocks = {
    {"FeedForward", "no such activation", [] { return not_made([] { FeedForward(4, 8, dice, {.activation = no_activation}); }); }},
    {"FeedForward", "dropout NaN", [] { return not_made([] { FeedForward(4, 8, dice, {.dropout = NaN}); }); }},
    {"FeedForward", "no such activation afterwards", [] { return refused(feed_forward(), [](FeedForward& f) { f.activation = no_activation; }, of_X); }},
    {"FeedForward", "one output", [] { return refused(feed_forward(), [](FeedForward& f) { f.W_2 = Linear(8, 1, dice); }, of_X); }},
    {"FeedForward", "a gate of one", [] { return refused(feed_forward(), [](FeedForward& f) { f.W_gate = Linear(4, 1, dice); }, of_X); }},
    {"TransformerEncoderLayer", "no such place", [] { return not_made([] { TransformerEncoderLayer(4, 2, 8, dice, no_norm_place); }); }},
    {"TransformerEncoderLayer", "no such place afterwards", [] { return refused(encoder_layer(), [](TransformerEncoderLayer& f) { f.norm = static_cast<NormPlace>(-1); }, of_X); }},
    {"TransformerEncoderLayer", "eps NaN", [] { return not_made([] { TransformerEncoderLayer(4, 2, 8, dice, {.layer_norm_eps = NaN}); }); }},
    {"TransformerEncoderLayer", "a wider norm", [] { return refused(encoder_layer(), [](TransformerEncoderLayer& f) { f.norm1 = LayerNorm({3, 4, 4}); }, of_X); }},
    {"TransformerDecoderLayer", "no such place afterwards", [] { return refused(decoder_layer(), [](TransformerDecoderLayer& f) { f.norm = static_cast<NormPlace>(2); }, of_pairs); }},
    {"TransformerDecoderLayer", "no such activation", [] { return not_made([] { TransformerDecoderLayer(4, 2, 8, dice, {.activation = no_activation}); }); }},
    {"TransformerDecoderLayer", "dropout NaN", [] { return not_made([] { TransformerDecoderLayer(4, 2, 8, dice, {.dropout = NaN}); }); }},
    {"TransformerDecoderLayer", "a memory of another batch", [] { return refused(decoder_layer(), [](const TransformerDecoderLayer& f) { f(V({2, 3, 4}), V({5, 3, 4})); }); }},
    {"TransformerDecoderLayer", "continued before it began", [] { return refused(decoder_layer(), [](const TransformerDecoderLayer& f) { DecoderCache cache; f.with_past(X, cache); }); }},
    {"TransformerEncoderLayer", "no hidden", [] { return not_made([] { TransformerEncoderLayer(4, 2, 0, dice); }); }},
    {"TransformerDecoderLayer", "no hidden", [] { return not_made([] { TransformerDecoderLayer(4, 2, 0, dice); }); }},
    {"TransformerEncoder", "no layers", [] { return not_made([] { TransformerEncoder(0, 4, 2, 8, dice); }); }},
    {"TransformerEncoder", "no such last norm", [] { return not_made([] { TransformerEncoder(1, 4, 2, 8, dice, {}, static_cast<FinalNorm>(3)); }); }},
    {"TransformerEncoder", "layers cleared", [] { return refused(encoder(), [](TransformerEncoder& f) { f.layers.clear(); }, of_X); }},
    {"TransformerEncoder", "a wider layer", [] { return refused(encoder(), [](TransformerEncoder& f) { f.layers[1] = TransformerEncoderLayer(6, 2, 8, dice); }, of_X); }},
    {"TransformerEncoder", "a norm moved from", [] { return refused(encoder(), [](TransformerEncoder& f) { f.norm = LayerNorm(4); const LayerNorm taken = std::move(*f.norm); }, of_X); }},
    {"TransformerDecoder", "-1 layers", [] { return not_made([] { TransformerDecoder(-1, 4, 2, 8, dice); }); }},
    {"TransformerDecoder", "layers cleared", [] { return refused(decoder(), [](TransformerDecoder& f) { f.layers.clear(); }, of_pairs); }},
    {"TransformerDecoder", "layers cleared, begun", [] { return refused(decoder(), [](TransformerDecoder& f) { f.layers.clear(); }, [](const TransformerDecoder& f) { f.begin(X); }); }},
    {"TransformerDecoder", "continued before it began", [] { return refused(decoder(), [](const TransformerDecoder& f) { std::vector<DecoderCache> caches(2); f.with_past(X, caches); }); }},
    {"TransformerDecoder", "no caches", [] { return refused(decoder(), [](const TransformerDecoder& f) { std::vector<DecoderCache> caches; f.with_past(X, caches); }); }},
    {"Transformer", "no such activation", [] { return not_made([] { Transformer(sizes, dice, {.activation = no_activation}); }); }},
    {"Transformer", "no decoder", [] { return not_made([] { Transformer({.num_decoder_layers = 0}, dice); }); }},
    {"Transformer", "a memory without features", [] { return refused(transformer(), [](const Transformer& f) { f(V({3, 0}), X); }); }},
    {"Transformer", "an encoder moved from", [] { return refused(transformer(), [](Transformer& f) { const TransformerEncoder taken = std::move(f.encoder); }, of_pairs); }},
    {"Transformer", "masks exchanged", [] { return refused(transformer(), [](const Transformer& f) { f(V({5, 4}), X, {.source = Mask::causal(3), .target = Mask::causal(5)}); }); }},
};

const std::vector<Case> models = {
    {"GptBlock", "another mask", [] { return refused(block(), [](const GptBlock& f) { f(X, Mask::causal(4)); }); }},
    {"GptBlock", "a norm moved from", [] { return refused(block(), [](GptBlock& f) { const AnyLayer taken = std::move(f.norm1); }, [](const GptBlock& f) { f(X, Mask::causal(3)); }); }},
    {"GptBlock", "a norm that is none", [] { return refused(block(), [](GptBlock& f) { f.norm2 = Linear(4, 3, dice); }, [](const GptBlock& f) { f(X, Mask::causal(3)); }); }},
    {"Gpt", "no such positions", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.positions = no_positions; }), dice); }); }},
    {"Gpt", "no such norm", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.norm = static_cast<NormKind>(5); }), dice); }); }},
    {"Gpt", "no such activation", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.activation = no_activation; }), dice); }); }},
    {"Gpt", "eps NaN", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.norm_eps = NaN; }), dice); }); }},
    {"Gpt", "dropout NaN", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.dropout = NaN; }), dice); }); }},
    {"Gpt", "soft cap NaN", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.soft_cap = NaN; }), dice); }); }},
    {"Gpt", "odd features to turn", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.positions = PositionKind::rotary; c.rotary.d_rotated = 1; }), dice); }); }},
    {"Gpt", "blocks cleared", [] { return refused(gpt(), [](Gpt& f) { f.blocks.clear(); }, of_ids); }},
    {"Gpt", "blocks cleared, with a past", [] { return refused(gpt(), [](Gpt& f) { f.blocks.clear(); }, [](const Gpt& f) { GptCache cache; f.with_past(ids, cache); }); }},
    {"Gpt", "a block moved from", [] { return refused(gpt(), [](Gpt& f) { const GptBlock taken = std::move(f.blocks[1]); }, of_ids); }},
    {"Gpt", "a mask of other keys", [] { return refused(gpt(), [](const Gpt& f) { f(ids, Mask::causal(3)); }); }},
    {"Gpt", "all padding", [] { return refused(gpt(), [](const Gpt& f) { f(IndexTensor({{0, 1}}), Mask::allowing_keys(BoolTensor::full({1, 2}, false))); }); }},
    {"Gpt", "padding of other sequences", [] { return refused(gpt(), [](const Gpt& f) { GptCache cache; cache.padding = {1, 0}; f.with_past(ids, cache); }); }},
    {"Gpt", "negative padding", [] { return refused(gpt(), [](const Gpt& f) { GptCache cache; cache.padding = {-1}; f.with_past(IndexTensor({{0, 1}}), cache); }); }},
    {"Gpt", "more padding than tokens", [] { return refused(gpt(), [](const Gpt& f) { GptCache cache; cache.padding = {3}; f.with_past(IndexTensor({{0, 1}}), cache); }); }},
    {"Gpt", "a mask for a cache with tokens", [] { return refused(gpt(), [](const Gpt& f) { GptCache cache; f.with_past(IndexTensor({{0, 1}}), cache); f.with_past(IndexTensor({{0, 1}}), cache, Mask::left_padding({1}, 2)); }); }},
    {"Gpt", "heads of -1 features", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.d_head = -1; }), dice); }); }},
    {"Gpt", "huge heads", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.d_head = std::int64_t{1} << 62; }), dice); }); }},
    {"Gpt", "rotary options of others", [] { return not_made([] { Gpt(changed([](GptConfig& c) { c.rotary.base = 5; }), dice); }); }},
    {"Gpt", "fewer tokens", [] { return refused(gpt(), [](Gpt& f) { f.tokens = Embedding(2, 4, dice); }, of_ids); }},
    {"Gpt", "positions of fewer tokens", [] { return refused(gpt(), [](Gpt& f) { f.positions = LearnedPositions(2, 4, dice); }, of_ids); }},
    {"MeanClassifier", "no classes", [] { return not_made([] { MeanClassifier(MeanClassifierConfig{.num_classes = 0}, dice); }); }},
    {"MeanClassifier", "another padding", [] { return refused(mean_classifier(), [](const MeanClassifier& f) { f(ids, Mask::causal(3)); }); }},
    {"MeanClassifier", "only padding", [] { return refused(mean_classifier(), [](const MeanClassifier& f) { f(IndexTensor({{0, 1}}), Mask::allowing_keys(BoolTensor::full({1, 2}, false))); }); }},
    {"MeanClassifier", "layers cleared", [] { return refused(mean_classifier(), [](MeanClassifier& f) { f.blocks.layers.clear(); }, of_ids); }},
    {"TextEncoder", "eps NaN", [] { return not_made([] { TextEncoder(TextEncoderConfig{.embedding_eps = NaN}, dice); }); }},
    {"TextEncoder", "eps of the layers NaN", [] { return not_made([] { TextEncoder(TextEncoderConfig{.norm_eps = NaN}, dice); }); }},
    {"TextEncoder", "no such norm place", [] { return not_made([] { TextEncoder(TextEncoderConfig{.norm = static_cast<NormPlace>(9)}, dice); }); }},
    {"TextEncoder", "no such activation", [] { return not_made([] { TextEncoder(TextEncoderConfig{.activation = no_activation}, dice); }); }},
    {"TextEncoder", "-1 types", [] { return not_made([] { TextEncoder(TextEncoderConfig{.num_token_types = -1}, dice); }); }},
    {"TextEncoder", "types that it does not know", [] { return refused(text_encoder(), [](const TextEncoder& f) { f(ids, IndexTensor({0, 0, 0})); }); }},
    {"TextEncoder", "types of other tokens", [] { return refused(bert(), [](const TextEncoder& f) { f(ids, IndexTensor({0, 0})); }); }},
    {"TextEncoder", "no such type", [] { return refused(bert(), [](const TextEncoder& f) { f(ids, IndexTensor({0, 2, 0})); }); }},
    {"TextEncoder", "no types left", [] { return refused(bert(), [](TextEncoder& f) { f.token_types = Embedding(2, 3, dice); }, of_ids); }},
    {"TextEncoder", "no pooler", [] { return refused(text_encoder(), [](const TextEncoder& f) { f.pooled(X); }); }},
    {"TextEncoder", "pooled without a token", [] { return refused(bert(), [](const TextEncoder& f) { f.pooled(V({0, 4})); }); }},
    {"TextEncoder", "pooled with other features", [] { return refused(bert(), [](const TextEncoder& f) { f.pooled(V({3, 5})); }); }},
    {"TextEncoder", "pooled without an axis of tokens", [] { return refused(bert(), [](const TextEncoder& f) { f.pooled(V({4})); }); }},
    {"TextEncoder", "a pooler moved from", [] { return refused(bert(), [](TextEncoder& f) { const Linear taken = std::move(*f.pooler); }, [](const TextEncoder& f) { f.pooled(X); }); }},
    {"TextEncoder", "another mask", [] { return refused(text_encoder(), [](const TextEncoder& f) { f(ids, Mask::causal(4)); }); }},
    {"TextEncoder", "layers cleared", [] { return refused(text_encoder(), [](TextEncoder& f) { f.layers.layers.clear(); }, of_ids); }},
    {"TextClassifier", "no labels", [] { return not_made([] { TextClassifier(text_config, 0, dice); }); }},
    {"TextClassifier", "a wider classifier", [] { return refused(text_classifier(), [](TextClassifier& f) { f.classifier = Linear(5, 2, dice); }, of_ids); }},
    {"TextClassifier", "an encoder moved from", [] { return refused(text_classifier(), [](TextClassifier& f) { const TextEncoder taken = std::move(f.encoder); }, of_ids); }},
};
// clang-format on

// Whatever the layer's call is, with the variable in place of X, if it has one.
const auto call_X = [](const auto& layer, const Variable& x) { layer(x); };
const auto call_pairs = [](const auto& layer, const Variable& x) {
    layer(x, X);
    layer(X, x);
    layer(x, x);
};
const auto call_added = [](const auto& layer, const Variable& x) { layer.added_to(x); };
const auto call_turned = [](const auto& layer, const Variable& x) { layer.turned(x); };
const auto call_bias = [](const auto& layer, const Variable& x) {
    layer.bias(x.numel(), x.numel());
};
const auto call_gru_cell = [](const auto& layer, const Variable& x) { layer(x, V({3, 2})); };
const auto call_lstm_cell = [](const auto& layer, const Variable& x) {
    layer(x, {V({3, 2}), V({3, 2})});
};
const auto call_block = [](const auto& layer, const Variable& x) {
    layer(x, Mask::causal(3));
    KeyValueCache past;
    layer.with_past(x, past, Mask::causal(3));
};

template <class Layer, class Call>
void check_any(const char* name, const Layer& layer, const Call& call, std::int64_t d = 4) {
    check_parts(name, layer, [&](const Layer& f) { call(f, V({3, d})); });
    check_inputs(name, layer, d, call);
    CHECK(calls[name] >= 10);
}
template <class Layer>
void check_any_of_ids(const char* name, const Layer& layer) {
    check_parts(name, layer, of_ids);
    check_ids(name, layer, [](const Layer& f, const IndexTensor& x) { f(x); });
    CHECK(calls[name] >= 10);
}

}  // namespace

#if __has_include(<sys/wait.h>)
TEST_CASE("a call that crashes or does not end is named, and the others run", "[nn][hostile]") {
    CHECK(in_child([] { return "a result"; }) == "a result");
    CHECK(in_child([]() -> std::string { std::abort(); }) ==
          "ended by signal " + std::to_string(SIGABRT));
    CHECK(in_child([] { return std::to_string(std::raise(SIGSEGV)); }) ==
          "ended by signal " + std::to_string(SIGSEGV));
    CHECK(in_child([]() -> std::string { std::_Exit(3); }) == "ended with exit code 3");
    CHECK(in_child([]() -> std::string { throw 1; }) == "threw something");
    const auto loop = [] {
        for (volatile bool done = false; !done;) {
        }
        return "a result";
    };
    CHECK(in_child(loop, 1) == "did not end within 1 s");
}
#endif

TEST_CASE("simple layers refuse hostile calls", "[nn][hostile]") { check_refused(simple_layers); }

TEST_CASE("scores and positions refuse hostile calls", "[nn][hostile]") {
    check_refused(scores_and_positions);
}

TEST_CASE("attention layers refuse hostile calls", "[nn][hostile]") {
    check_refused(attention_layers);
}

TEST_CASE("recurrent layers refuse hostile calls", "[nn][hostile]") {
    check_refused(recurrent_layers);
}

TEST_CASE("blocks refuse hostile calls", "[nn][hostile]") { check_refused(blocks); }

TEST_CASE("models refuse hostile calls", "[nn][hostile]") { check_refused(models); }

TEST_CASE("a layer says which of its parts does not fit", "[nn][hostile]") {
    MultiHeadAttention odd = multi_head();
    odd.W_V = Linear(4, 5, dice);
    CHECK(message_of<ShapeError>([&] { odd(X); }) ==
          "MultiHeadAttention: there are 2 heads, and the weights have shapes W_Q [4, 4], W_K "
          "[4, 4], W_V [5, 4], W_O [4, 4]; they must be [h·d_head, d_model], [h_kv·d_head, kdim], "
          "[h_kv·d_v, vdim], [d_model, h·d_v], with h a multiple of h_kv");
    Linear moved = linear();
    const Linear taken = std::move(moved);
    CHECK(message_of<std::invalid_argument>([&] { moved(X); }) ==
          "Linear: the parameter 'weight' is not set; was the layer, or this part of it, moved "
          "from?");
    FeedForward narrow = feed_forward();
    narrow.W_2 = Linear(8, 1, dice);
    CHECK(message_of<ShapeError>([&] { narrow(X); }) ==
          "FeedForward: the parameter 'W_2.weight' has shape [1, 8]; to match the other parts it "
          "must be [4, 8]");
    LayerNorm norm = layer_norm();
    norm.eps = NaN;
    CHECK(message_of<std::invalid_argument>([&] { norm(X); }) ==
          "LayerNorm: eps is nan; it must be finite and not negative");
    Embedding table = embedding();
    table.weight = Parameter(tensor::ones({5, 4, 1}));
    CHECK(message_of<ShapeError>([&] { table(ids); }) ==
          "Embedding: the parameter 'weight' has shape [5, 4, 1]; its rank must be 2");
}

TEST_CASE("simple layers bear any input, and parts moved or replaced", "[nn][hostile]") {
    check_any("Tanh", Tanh(), call_X);
    check_any("Sigmoid", Sigmoid(), call_X);
    check_any("Relu", Relu(), call_X);
    check_any("Silu", Silu(), call_X);
    check_any("Softmax", Softmax(), call_X);
    check_any("Gelu", Gelu(), call_X);
    check_any("GeluTanh", GeluTanh(), call_X);
    check_any("Linear", linear(), call_X);
    check_any("Dropout", Dropout(0.5, dice), call_X);
    check_any("LayerNorm", layer_norm(), call_X);
    check_any("RMSNorm", RMSNorm(4), call_X);
    check_any("Sequential", Sequential{linear(), Tanh()}, call_X);
    check_any_of_ids("Embedding", embedding());
    check_any_of_ids("TokenAndPositionEmbedding", TokenAndPositionEmbedding(5, 8, 4, dice));
}

TEST_CASE("scores and positions bear any input, and parts moved or replaced", "[nn][hostile]") {
    check_any("DotScore", DotScore(), call_pairs);
    check_any("ScaledDotScore", ScaledDotScore(), call_pairs);
    check_any("AdditiveScore", additive(), call_pairs);
    check_any("BilinearScore", BilinearScore(4, 4, dice), call_pairs);
    check_any("GaussianScore", GaussianScore(), call_pairs);
    check_any("LearnedPositions", LearnedPositions(8, 4, dice), call_added);
    check_any("SinusoidalPositions", SinusoidalPositions(4), call_added);
    check_any("RotaryPositions", RotaryPositions(4), call_turned);
    check_any("RelativeBias", RelativeBias(2, 3), call_bias);
    check_any("Alibi", Alibi(2), call_bias);
}

TEST_CASE("attention layers bear any input, and parts moved or replaced", "[nn][hostile]") {
    check_any("AttentionHead", head(), call_X);
    check_any("AttentionHead", head(), call_pairs);
    check_any("MultiHeadAttention", multi_head(), call_X);
    check_any(
        "MultiHeadAttention", grouped(), [](const auto& f, const Variable& x) { f(x); }, 8);
}

TEST_CASE("recurrent layers bear any input, and parts moved or replaced", "[nn][hostile]") {
    check_any("GruCell", gru_cell(), call_gru_cell);
    check_any("GRU", gru(), call_X);
    check_any("LstmCell", lstm_cell(), call_lstm_cell);
    check_any("LSTM", lstm(), call_X);
}

TEST_CASE("blocks bear any input, and parts moved or replaced", "[nn][hostile]") {
    check_any("FeedForward", feed_forward(), call_X);
    check_any("TransformerEncoderLayer", encoder_layer(), call_X);
    check_any("TransformerDecoderLayer", decoder_layer(), call_pairs);
    check_any("TransformerEncoder", encoder(), call_X);
    check_any("TransformerDecoder", decoder(), call_pairs);
    check_any("Transformer", transformer(), call_pairs);
    check_any("GptBlock", block(), call_block);
}

TEST_CASE("models bear any input, and parts moved or replaced", "[nn][hostile]") {
    check_any_of_ids("Gpt", gpt());
    check_any_of_ids("MeanClassifier", mean_classifier());
    check_any_of_ids("TextEncoder", text_encoder());
    check_any_of_ids("TextClassifier", text_classifier());
}
