// Every layer of nn/ begins and ends its call with Running, so that a forward hook sees it. That
// the list has every layer is checked against nn/ (tests/source_rules/check_layers.cmake).
#include "nn/heed.h"
#include "tests/catch.h"

#include <set>

using namespace heed;

namespace {
Random dice(1);
const Variable X(tensor::normal({3, 4}, dice));  // [T, d_model]
const Variable x(tensor::normal({4}, dice)), h(tensor::normal({2}, dice));
const IndexTensor ids({0, 3, 1});
const GptConfig gpt =
    complete(GptConfig{.vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2});
const TextEncoderConfig text_encoder = {
    .vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2};
const MeanClassifierConfig mean_classifier = {
    .vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 1, .num_heads = 2};
const TransformerSizes sizes = {
    .d_model = 4, .num_heads = 2, .num_encoder_layers = 1, .num_decoder_layers = 1, .d_hidden = 8};

// The types of the calls of `layer` itself that a hook sees while it is called, with " wrong" where
// the hook does not see what the call returns; then the layers inside it that it does not see.
template <class Layer, class Call>
std::string seen(const Layer& layer, const Call& call) {
    std::vector<LayerCall> calls;
    std::set<std::string> unseen;
    for (const LayerMember& inside : layer_members(readable_member_tree(layer))) {
        unseen.insert(inside.name);
    }
    const ForwardHook hook(layer, [&](const LayerCall& one) {
        if (one.name.empty()) calls.push_back(one);
        unseen.erase(one.name);
    });
    const Variable output = call(layer);
    std::string types;
    for (const LayerCall& one : calls) {
        types += one.type;
        if (!tensor::same_bits(one.output.value(), output.value())) types += " wrong";
    }
    for (const std::string& name : unseen) types += " without " + name;
    return types;
}

template <class Layer, class... Inputs>
std::string called(const Layer& layer, const Inputs&... inputs) {
    return seen(layer, [&](const Layer& f) { return f(inputs...); });
}

struct Case {
    const char* layer;
    std::string (*seen)();
};

// clang-format off
const Case cases[] = {
    {"Tanh", [] { return called(Tanh(), X); }},
    {"Sigmoid", [] { return called(Sigmoid(), X); }},
    {"Relu", [] { return called(Relu(), X); }},
    {"Silu", [] { return called(Silu(), X); }},
    {"Softmax", [] { return called(Softmax(), X); }},
    {"Gelu", [] { return called(Gelu(), X); }},
    {"GeluTanh", [] { return called(GeluTanh(), X); }},
    {"Linear", [] { return called(Linear(4, 3, dice), X); }},
    {"Dropout", [] { return called(Dropout(0.5, dice), X); }},
    {"Dropout", [] { return called(Dropout(0, dice), X); }},
    {"LayerNorm", [] { return called(LayerNorm(4), X); }},
    {"RMSNorm", [] { return called(RMSNorm(4), X); }},
    {"Sequential", [] { return called(Sequential{Tanh(), Relu()}, X); }},
    {"Embedding", [] { return called(Embedding(5, 4, dice), ids); }},
    {"TokenAndPositionEmbedding", [] { return called(TokenAndPositionEmbedding(5, 8, 4, dice), ids); }},
    {"DotScore", [] { return called(DotScore(), X, X); }},
    {"ScaledDotScore", [] { return called(ScaledDotScore(), X, X); }},
    {"AdditiveScore", [] { return called(AdditiveScore(4, 4, 3, dice), X, X); }},
    {"BilinearScore", [] { return called(BilinearScore(4, 4, dice), X, X); }},
    {"GaussianScore", [] { return called(GaussianScore(), X, X); }},
    {"AttentionHead", [] { return called(AttentionHead(4, 2, dice), X); }},
    {"MultiHeadAttention", [] { return called(MultiHeadAttention(4, 2, dice), X); }},
    {"MultiHeadAttention", [] {
         return seen(MultiHeadAttention(4, 2, dice), [](const MultiHeadAttention& f) {
             KeyValueCache past;
             return f.with_past(X, past, Mask::causal(3));
         });
     }},
    {"MultiHeadAttention", [] {
         return seen(MultiHeadAttention(4, 2, dice), [](const MultiHeadAttention& f) {
             return f.attending_to(f.keys_and_values(X), X);
         });
     }},
    {"LearnedPositions", [] {
         return seen(LearnedPositions(8, 4, dice), [](const Positions& p) { return p.added_to(X); });
     }},
    {"SinusoidalPositions", [] {
         return seen(SinusoidalPositions(4), [](const Positions& p) { return p.added_to(X); });
     }},
    {"RotaryPositions", [] {
         return seen(RotaryPositions(4), [](const Positions& p) { return p.turned(X); });
     }},
    {"RotaryPositions", [] {
         return seen(RotaryPositions(4, {.d_rotated = 2}), [](const Positions& p) { return p.turned(X); });
     }},
    {"RelativeBias", [] {
         return seen(RelativeBias(2, 3), [](const Positions& p) { return *p.bias(3, 3); });
     }},
    {"Alibi", [] { return seen(Alibi(2), [](const Positions& p) { return *p.bias(3, 3); }); }},
    {"GruCell", [] { return called(GruCell(4, 2, dice), x, h); }},
    {"GRU", [] { return seen(GRU(4, 2, dice, {.num_layers = 2}), [](const GRU& f) { return f(X).output; }); }},
    {"LstmCell", [] {
         return seen(LstmCell(4, 2, dice), [](const LstmCell& f) { return f(x, {h, h}).h; });
     }},
    {"LSTM", [] { return seen(LSTM(4, 2, dice, {.num_layers = 2}), [](const LSTM& f) { return f(X).output; }); }},
    {"FeedForward", [] { return called(FeedForward(4, 8, dice), X); }},
    {"TransformerEncoderLayer", [] { return called(TransformerEncoderLayer(4, 2, 8, dice), X); }},
    {"TransformerDecoderLayer", [] { return called(TransformerDecoderLayer(4, 2, 8, dice), X, X); }},
    {"TransformerDecoderLayer", [] {
         return seen(TransformerDecoderLayer(4, 2, 8, dice), [](const TransformerDecoderLayer& f) {
             DecoderCache cache = f.begin(X);
             return f.with_past(X, cache, Mask::causal(3));
         });
     }},
    {"TransformerEncoder", [] { return called(TransformerEncoder(1, 4, 2, 8, dice), X); }},
    {"TransformerDecoder", [] { return called(TransformerDecoder(1, 4, 2, 8, dice), X, X); }},
    {"TransformerDecoder", [] {
         return seen(TransformerDecoder(1, 4, 2, 8, dice), [](const TransformerDecoder& f) {
             std::vector<DecoderCache> caches = f.begin(X);
             return f.with_past(X, caches, Mask::causal(3));
         });
     }},
    {"Transformer", [] { return called(Transformer(sizes, dice), X, X); }},
    {"GptBlock", [] { return called(GptBlock(gpt, dice), X, Mask::causal(3)); }},
    {"GptBlock", [] {
         return seen(GptBlock(gpt, dice), [](const GptBlock& f) {
             KeyValueCache past;
             return f.with_past(X, past, Mask::causal(3));
         });
     }},
    {"Gpt", [] { return called(Gpt(gpt, dice), ids); }},
    {"Gpt", [] {
         return seen(Gpt(gpt, dice), [](const Gpt& f) {
             GptCache cache;
             return f.with_past(ids, cache);
         });
     }},
    {"Gpt", [] {
         return seen(Gpt(gpt, dice), [](const Gpt& f) {
             GptCache cache;
             return f.next_logits(ids, cache);
         });
     }},
    {"MeanClassifier", [] { return called(MeanClassifier(mean_classifier, dice), ids); }},
    {"TextEncoder", [] { return called(TextEncoder(text_encoder, dice), ids); }},
    {"TextEncoder", [] {
         TextEncoderConfig bert = text_encoder;
         bert.num_token_types = 2;
         return called(TextEncoder(bert, dice), ids, IndexTensor({0, 1, 1}));
     }},
    {"Gpt", [] {
         return seen(Gpt(gpt, dice), [](const Gpt& f) {
             return f(IndexTensor({{0, 3, 1}, {2, 2, 0}}), Mask::left_padding({3, 1}, 3));
         });
     }},
    {"TextClassifier", [] { return called(TextClassifier(text_encoder, 2, dice), ids); }},
};
// clang-format on

}  // namespace

TEST_CASE("a forward hook sees the call of every layer", "[nn][forward_hook]") {
    for (const Case& one : cases) {
        INFO(one.layer);
        CHECK(one.seen() == one.layer);
    }
}

TEST_CASE("a forward hook sees positions of every kind, in attention and in models",
          "[nn][forward_hook]") {
    const AnyPositions kinds[] = {LearnedPositions(8, 4, dice), SinusoidalPositions(4),
                                  RotaryPositions(2), RelativeBias(2, 3), Alibi(2)};
    const auto with = [](auto layer, const AnyPositions& positions) {
        layer.positions = positions;
        return called(layer, X);
    };
    for (const AnyPositions& positions : kinds) {
        INFO(type_name(*positions.get()));
        CHECK(with(MultiHeadAttention(4, 2, dice), positions) == "MultiHeadAttention");
    }
    for (const PositionKind kind :
         {PositionKind::none, PositionKind::learned, PositionKind::sinusoidal, PositionKind::rotary,
          PositionKind::relative, PositionKind::alibi}) {
        GptConfig config = gpt;
        config.positions = kind;
        INFO(name_of(kind));
        CHECK(called(Gpt(config, dice), ids) == "Gpt");
    }
}

namespace {
// A layer of a user's own, that holds a score.
struct Asking : Module {
    BilinearScore score{4, 4, dice};
    GaussianScore other;

    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        const Running layer(*this, "Asking", {&x}, site);
        const Variable first = attend(score, x, x, x).output;
        return layer.gives(attend(other, first, x, x).output);
    }
    void members(MemberVisitor& visit) override {
        visit("score", score);
        visit("other", other);
    }
};

}  // namespace

TEST_CASE("a forward hook sees the scores that attention takes", "[nn][forward_hook]") {
    CHECK(called(Asking(), X) == "Asking");
}
