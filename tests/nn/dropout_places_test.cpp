// Every place where dropout stands: what is dropped there, that it changes the output, and that in
// evaluation nothing is dropped.
#include "nn/heed.h"

#include "tests/catch.h"

using namespace heed;

namespace {
using Texts = std::vector<std::string>;

Random dice(1);
const Variable X(tensor::normal({2, 6, 8}, dice)), source(tensor::normal({2, 5, 8}, dice));
const IndexTensor ids({{0, 3, 1, 4}, {2, 2, 0, 1}});
const MultiHeadOptions attention = {.dropout = 0.5};
const RecurrentOptions two_layers = {.num_layers = 2, .dropout = 0.5};
const RecurrentOptions both_ways = {.num_layers = 3, .bidirectional = true, .dropout = 0.5};
const GptConfig gpt = complete(GptConfig{.vocab_size = 5,
                                         .limit = 8,
                                         .d_model = 8,
                                         .num_layers = 1,
                                         .num_heads = 2,
                                         .positions = PositionKind::sinusoidal,
                                         .dropout = 0.5});
const TextEncoderConfig text_encoder = {
    .vocab_size = 5, .limit = 8, .d_model = 8, .num_layers = 1, .num_heads = 2, .dropout = 0.5};
const MeanClassifierConfig mean_classifier = {
    .vocab_size = 5, .limit = 8, .d_model = 8, .num_layers = 1, .num_heads = 2, .dropout = 0.5};
const TransformerSizes sizes = {
    .d_model = 8, .num_heads = 2, .num_encoder_layers = 1, .num_decoder_layers = 1, .d_hidden = 16};

std::vector<Dropout*> dropouts_of(Module& network) {
    std::vector<Dropout*> all;
    for (const LayerMember& layer : layer_members(member_tree(network))) {
        Dropout* const dropout = dynamic_cast<Dropout*>(layer.module);
        if (dropout && dropout->p() > 0) all.push_back(dropout);
    }
    return all;
}

// The names of the layers that drop, in the order of their calls, with the shapes of what they
// drop.
template <class Network, class Call>
Texts what_is_dropped(const Network& network, const Call& call) {
    Texts dropped;
    const ForwardHook hook(network, [&dropped](const LayerCall& one) {
        if (one.type != "Dropout" || one.inputs[0].node() == one.output.node()) return;
        dropped.push_back(text(one.name, " ", one.output.shape()));
    });
    call(network);
    return dropped;
}

template <class Network, class Call>
void check_places(const char* name, Network network, const Texts& places, const Call& call) {
    INFO(name);
    const GradMode recording(true);
    CHECK(what_is_dropped(network, call) == places);
    const std::vector<Dropout*> dropouts = dropouts_of(network);
    network.eval();
    const Tensor whole = call(network).value();
    for (Dropout* acting : dropouts) {
        for (Dropout* each : dropouts) each->set_p(each == acting ? 0.5 : 0);
        network.train();
        const Tensor once = call(network).value();
        CHECK_FALSE(tensor::same_bits(once, whole));
        CHECK_FALSE(tensor::same_bits(once, call(network).value()));
        network.eval();
        CHECK(tensor::same_bits(call(network).value(), whole));
    }
}

// One argument of the call, or two.
const auto of_x = [](const auto& f) { return f(X); };
const auto of_both = [](const auto& f) { return f(X, source); };
const auto of_ids = [](const auto& f) { return f(ids); };

}  // namespace

TEST_CASE("dropout acts wherever it stands, on what it should, and not in evaluation",
          "[nn][dropout]") {
    Random random(2);
    check_places("AttentionHead", AttentionHead(8, 4, random, {.dropout = 0.5}),
                 {"dropout [2, 6, 5]"}, of_both);
    const MultiHeadAttention heads(8, 2, random, attention);
    check_places("MultiHeadAttention", heads, {"dropout [2, 2, 6, 5]"}, of_both);
    check_places("with weights", heads, {"dropout [2, 2, 6, 6]"},
                 [](const auto& f) { return f.with_weights(X).output; });
    check_places("attending to a source", heads, {"dropout [2, 2, 6, 5]"},
                 [](const auto& f) { return f.attending_to(f.keys_and_values(source), X); });

    check_places("FeedForward", FeedForward(8, 16, random, {.dropout = 0.5}),
                 {"dropout [2, 6, 16]"}, of_x);
    check_places("gated", FeedForward(8, 16, random, {.gated = true, .dropout = 0.5}),
                 {"dropout [2, 6, 16]"}, of_x);
    for (const NormPlace norm : {NormPlace::after, NormPlace::before}) {
        const TransformerOptions options = {.norm = norm, .dropout = 0.5};
        const Texts encoder = {"self_attn.dropout [2, 2, 6, 6]", "dropout1 [2, 6, 8]",
                               "feed_forward.dropout [2, 6, 16]", "dropout2 [2, 6, 8]"};
        const Texts decoder = {"self_attn.dropout [2, 2, 6, 6]",      "dropout1 [2, 6, 8]",
                               "multihead_attn.dropout [2, 2, 6, 5]", "dropout2 [2, 6, 8]",
                               "feed_forward.dropout [2, 6, 16]",     "dropout3 [2, 6, 8]"};
        check_places("TransformerEncoderLayer", TransformerEncoderLayer(8, 2, 16, random, options),
                     encoder, of_x);
        check_places("TransformerDecoderLayer", TransformerDecoderLayer(8, 2, 16, random, options),
                     decoder, of_both);
    }
    CHECK(dropouts_of(
              *std::make_unique<Transformer>(sizes, random, TransformerOptions{.dropout = 0.5}))
              .size() == 4 + 6);

    check_places("GptBlock", GptBlock(gpt, random),
                 {"attention.dropout [2, 2, 6, 6]", "dropout1 [2, 6, 8]", "dropout2 [2, 6, 8]"},
                 [](const auto& f) { return f(X, Mask::causal(6)); });
    check_places("Gpt", Gpt(gpt, random),
                 {"dropout [2, 4, 8]", "blocks.0.attention.dropout [2, 2, 4, 4]",
                  "blocks.0.dropout1 [2, 4, 8]", "blocks.0.dropout2 [2, 4, 8]"},
                 of_ids);
    check_places("Gpt, padded", Gpt(gpt, random),
                 {"dropout [2, 4, 8]", "blocks.0.attention.dropout [2, 2, 4, 4]",
                  "blocks.0.dropout1 [2, 4, 8]", "blocks.0.dropout2 [2, 4, 8]"},
                 [](const auto& f) {
                     return f(ids, Mask::left_padding({4, 2}, 4));
                 });
    check_places("TextClassifier", TextClassifier(text_encoder, 3, random),
                 {"encoder.dropout [2, 4, 8]",
                  "encoder.layers.layers.0.self_attn.dropout [2, 2, 4, 4]",
                  "encoder.layers.layers.0.dropout1 [2, 4, 8]",
                  "encoder.layers.layers.0.feed_forward.dropout [2, 4, 32]",
                  "encoder.layers.layers.0.dropout2 [2, 4, 8]", "dropout [2, 8]"},
                 of_ids);
    check_places(
        "MeanClassifier", MeanClassifier(mean_classifier, random),
        {"blocks.layers.0.self_attn.dropout [2, 2, 4, 4]", "blocks.layers.0.dropout1 [2, 4, 8]",
         "blocks.layers.0.feed_forward.dropout [2, 4, 32]", "blocks.layers.0.dropout2 [2, 4, 8]"},
        of_ids);

    const auto outputs = [](const auto& f) { return f(X).output; };
    check_places("GRU", GRU(8, 4, random, two_layers), {"dropout [2, 6, 4]"}, outputs);
    check_places("LSTM", LSTM(8, 4, random, two_layers), {"dropout [2, 6, 4]"}, outputs);
    check_places("GRU, both ways", GRU(8, 4, random, both_ways),
                 {"dropout [2, 6, 8]", "dropout [2, 6, 8]"}, outputs);
    CHECK(what_is_dropped(LSTM(8, 4, random, {.dropout = 0.5}), outputs).empty());
}

TEST_CASE("embeddings are dropped when they are done, with positions and norm", "[nn][dropout]") {
    Random random(3);
    const auto share_of_zeros = [](const auto& model, const std::string& first_block) {
        double share = 0;
        const ForwardHook hook(model, [&](const LayerCall& one) {
            if (one.name != first_block) return;
            const Tensor& x = one.inputs[0].value();
            share = static_cast<double>((x == tensor::zeros({1})).count()) /
                    static_cast<double>(x.numel());
        });
        model(ids);
        return share;
    };
    CHECK(share_of_zeros(Gpt(gpt, random), "blocks.0") == Approx(0.5).margin(0.2));
    CHECK(share_of_zeros(TextEncoder(text_encoder, random), "layers.layers.0") ==
          Approx(0.5).margin(0.2));
}
