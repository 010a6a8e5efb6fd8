// Feed-forward, RMSNorm and transformer layers: by hand, by laws, with a cache, and what they
// refuse. transformer_reference_test.cpp compares them with PyTorch's.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <sstream>

using namespace heed;

namespace {
Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random));
}

bool same(const Variable& a, const Variable& b) { return tensor::same_bits(a.value(), b.value()); }

Variable rows(const Variable& x, std::int64_t begin, std::int64_t end) {
    return slice(x, -2, begin, end);
}

}  // namespace

TEST_CASE("feed-forward worked out by hand", "[nn][feed_forward]") {
    Random random(1);
    FeedForward plain(2, 2, random, {.activation = Activation::relu});
    StateDict state;
    state.add("W_1.weight", tensor::of({{1, -1}, {2, 0}}));
    state.add("W_1.bias", tensor::of({0, -1}));
    state.add("W_2.weight", tensor::of({{1, 1}, {0, 3}}));
    state.add("W_2.bias", tensor::of({10, 0}));
    load_state_dict(plain, state);
    // The hidden layer is relu(1 - 3, 2 - 1) = (0, 1).
    CHECK(tensor::all_close(plain(Variable(tensor::of({{1, 3}}))).value(), tensor::of({{11, 3}})));

    FeedForward gated(2, 2, random, {.activation = Activation::silu, .gated = true, .bias = false});
    StateDict swiglu;
    swiglu.add("W_1.weight", tensor::of({{1, 0}, {0, 1}}));
    swiglu.add("W_2.weight", tensor::of({{1, 0}, {0, 1}}));
    swiglu.add("W_gate.weight", tensor::of({{0, 1}, {1, 0}}));
    load_state_dict(gated, swiglu);
    const double silu2 = 2 / (1 + std::exp(-2.0)), silu3 = 3 / (1 + std::exp(-3.0));
    CHECK(tensor::all_close(gated(Variable(tensor::of({{2, 3}}))).value(),
                            tensor::of({{silu3 * 2, silu2 * 3}}), 1e-6, 1e-6));
    CHECK(gated.details() == "silu, gated");
    CHECK(count_parameters(gated) == 12);
}

TEST_CASE("feed-forward treats each position alone", "[nn][feed_forward]") {
    Random random(2);
    const FeedForward layer(6, 24, random);
    const Variable X = drawn({2, 5, 6}, 3);
    const Variable all = layer(X);
    for (std::int64_t t = 0; t < 5; ++t) CHECK(same(layer(rows(X, t, t + 1)), rows(all, t, t + 1)));
}

TEST_CASE("RMSNorm is its definition", "[nn][rms_norm]") {
    RMSNorm norm(4, {.eps = 0});
    // The root mean square of (1, 1, 5, 3) is 3.
    CHECK(tensor::all_close(norm(Variable(tensor::of({{1, 1, 5, 3}}))).value(),
                            tensor::of({{1.0 / 3, 1.0 / 3, 5.0 / 3, 1}}), 1e-6, 1e-6));
    StateDict state;
    state.add("weight", tensor::of({1, 2, 3, 4}));
    load_state_dict(norm, state);
    CHECK(tensor::all_close(norm(Variable(tensor::of({{1, 1, 5, 3}}))).value(),
                            tensor::of({{1.0 / 3, 2.0 / 3, 5, 4}}), 1e-6, 1e-6));
    // Scaling x changes nothing, but for eps; adding to it does.
    const RMSNorm other({2, 3});
    const Variable X = drawn({4, 2, 3}, 1);
    CHECK(tensor::max_difference(other(X).value(), other(X * 100).value()) < 1e-3);
    CHECK(tensor::max_difference(other(X).value(), other(X + 100).value()) > 0.1);
    CHECK(tensor::all_close(tensor::mean((other(X) * other(X)).value(), {1, 2}), tensor::ones({4}),
                            1e-3, 1e-3));
    CHECK(message_of<ShapeError>([&] {
              other(drawn({3, 2}, 1));
          }) == "RMSNorm: x has shape [3, 2], but this layer normalizes over [2, 3]; the last axes "
                "of x must match");
    CHECK(message_of<std::invalid_argument>([&] {
              RMSNorm({3, 0});
          }) == "RMSNorm: the shape to normalize over is [3, 0]; it must have at least one axis, "
                "and no length below 1");
    CHECK(message_of<std::invalid_argument>([&] { RMSNorm(3, {.eps = -1}); }) ==
          "RMSNorm: eps is -1; it must be finite and not negative");
}

TEST_CASE("an encoder layer with norms before leaves the residual stream as it is",
          "[nn][transformer]") {
    Random random(4);
    TransformerEncoderLayer layer(6, 2, 12, random, {.norm = NormPlace::before});
    for (Parameter* last : {&layer.self_attn.W_O.weight, &layer.self_attn.W_O.bias,
                            &layer.feed_forward.W_2.weight, &layer.feed_forward.W_2.bias}) {
        init::zeros(*last);
    }
    const Variable X = drawn({2, 5, 6}, 5);
    CHECK(same(layer(X), X));  // nothing is added
    layer.norm = NormPlace::after;
    const Variable y = layer(X);
    CHECK(tensor::max_difference(tensor::mean(y.value(), -1), tensor::zeros({2, 5})) < 1e-5);
}

TEST_CASE("masks reach the layers of an encoder and of a decoder", "[nn][transformer]") {
    Random random(6);
    for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
        const TransformerEncoder encoder(2, 6, 2, 12, random, {.norm = norm}, FinalNorm::yes);
        const Variable X = drawn({2, 5, 6}, 7);
        const Mask padding = Mask::padding({5, 3}, 5);
        // Padded = unpadded, bit for bit.
        const Variable all = encoder(X, padding);
        const Variable second = encoder(select(X, 0, 1), Mask::all_allowed(5, 5));
        const Variable alone = encoder(rows(select(X, 0, 1), 0, 3));
        CHECK(same(rows(select(all, 0, 1), 0, 3), alone));
        CHECK_FALSE(same(rows(second, 0, 3), alone));
        // A change in the future leaves the past as it was.
        Tensor changed = tensor::clone(X.value());
        Tensor last = tensor::slice(changed, 1, 4, 5);
        tensor::overwrite(last, tensor::of(7));
        const Mask causal = Mask::causal(5);
        CHECK(same(rows(encoder(X, causal), 0, 4), rows(encoder(Variable(changed), causal), 0, 4)));
        CHECK_FALSE(same(rows(encoder(X), 0, 4), rows(encoder(Variable(changed)), 0, 4)));

        const TransformerDecoder decoder(2, 6, 2, 12, random, {.norm = norm}, FinalNorm::yes);
        const Variable Y = drawn({2, 4, 6}, 8);
        const Variable out = decoder(Y, X, Mask::causal(4), padding);
        CHECK(same(rows(select(out, 0, 1), 0, 4),
                   decoder(select(Y, 0, 1), rows(select(X, 0, 1), 0, 3), Mask::causal(4))));
    }
}

TEST_CASE("a decoder with a cache gives the bits of the whole", "[nn][transformer][cache]") {
    Random random(9);
    const NoGrad no_grad;
    for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
        const TransformerDecoder decoder(2, 8, 2, 16, random, {.norm = norm}, FinalNorm::yes);
        const Variable memory = drawn({2, 5, 8}, 10), Y = drawn({2, 7, 8}, 11);
        const Mask padding = Mask::padding({5, 2}, 5);
        const Variable all = decoder(Y, memory, Mask::causal(7), padding);
        std::vector<DecoderCache> caches = decoder.begin(memory);
        const Variable first = decoder.with_past(rows(Y, 0, 3), caches, Mask::causal(3), padding);
        CHECK(same(first, rows(all, 0, 3)));
        for (std::int64_t t = 3; t < 7; ++t) {
            const Variable one = decoder.with_past(rows(Y, t, t + 1), caches, {}, padding);
            CHECK(same(one, rows(all, t, t + 1)));
        }
        CHECK(caches[0].past.length() == 7);
        std::vector<DecoderCache> too_few(1);
        CHECK(message_of<std::invalid_argument>([&] { decoder.with_past(Y, too_few); }) ==
              "TransformerDecoder: there are 1 caches for 2 layers; make them with begin(memory)");
    }
}

TEST_CASE("a memory has the axes of the targets; a batch of one is for all of them",
          "[nn][transformer][cache]") {
    Random random(10);
    const TransformerDecoder decoder(2, 8, 2, 16, random);
    const Variable memory = drawn({5, 8}, 12), Y = drawn({3, 4, 8}, 13);
    const Variable all = decoder(Y, unsqueeze(memory, 0), Mask::causal(4));
    CHECK(same(all, decoder(Y, expand(memory, {3, 5, 8}), Mask::causal(4))));
    std::vector<DecoderCache> caches = decoder.begin(unsqueeze(memory, 0));
    CHECK(same(all, decoder.with_past(Y, caches, Mask::causal(4))));

    const std::string rule = "; memory must have as many axes as Y: give it a batch with "
                             "unsqueeze(memory, 0), of length 1 for all targets";
    CHECK(message_of<ShapeError>([&] { decoder(Y, memory, Mask::causal(4)); }) ==
          "TransformerDecoderLayer: memory has shape [5, 8] and Y [3, 4, 8]" + rule);
    CHECK(message_of<ShapeError>([&] {
              decoder(select(Y, 0, 0), expand(memory, {3, 5, 8}));
          }) == "TransformerDecoderLayer: memory has shape [3, 5, 8] and Y [4, 8]" + rule);
    std::vector<DecoderCache> one = decoder.begin(memory);
    CHECK(message_of<ShapeError>([&] { decoder.with_past(Y, one, Mask::causal(4)); }) ==
          "TransformerDecoderLayer: the memory in the cache, by heads, has shape [2, 5, 4] and Y "
          "[3, 4, 8]" +
              rule);
    CHECK(one[0].past.length() == 0);
}

TEST_CASE("with a cache, cross-attention knows where its queries stand",
          "[nn][transformer][cache]") {
    Random random(14);
    const NoGrad no_grad;
    TransformerDecoder decoder(1, 8, 2, 16, random);
    const Variable memory = drawn({5, 8}, 15), Y = drawn({3, 8}, 16);
    const AnyPositions kinds[] = {RotaryPositions(4), SinusoidalPositions(8), Alibi(2)};
    for (const AnyPositions& positions : kinds) {  // turned, added, and a bias
        decoder.layers[0].multihead_attn.positions = positions;
        const Variable all = decoder(Y, memory, Mask::causal(3));
        std::vector<DecoderCache> caches = decoder.begin(memory);
        for (std::int64_t t = 0; t < 3; ++t) {
            CHECK(same(decoder.with_past(rows(Y, t, t + 1), caches), rows(all, t, t + 1)));
        }
    }
}

TEST_CASE("a transformer layer prints what it is made of", "[nn][transformer]") {
    Random random(12);
    std::ostringstream said;
    said << TransformerEncoderLayer(4, 2, 8, random, {.norm = NormPlace::before});
    CHECK_THAT(said.str(), Contains("TransformerEncoderLayer(norm before\n"));
    CHECK_THAT(said.str(), Contains("(feed_forward): FeedForward(relu\n"));
    CHECK_THAT(said.str(), Contains("(norm2): LayerNorm([4], eps=1e-05)"));
    said << TransformerDecoderLayer(4, 2, 8, random);
    CHECK_THAT(said.str(), Contains("TransformerDecoderLayer(norm after\n"));
    CHECK(
        FeedForward(4, 8, random, {.activation = Activation::gelu_tanh, .gated = true}).details() ==
        "gelu_tanh, gated");
}

TEST_CASE("the options of a transformer reach all its layers", "[nn][transformer]") {
    Random random(15);
    const TransformerSizes sizes = {.d_model = 8,
                                    .num_heads = 2,
                                    .num_encoder_layers = 2,
                                    .num_decoder_layers = 3,
                                    .d_hidden = 16};
    Transformer model(sizes, random, {.layer_norm_eps = 0.25, .bias = false});
    for (const NamedParameter& named : parameters(model)) {
        INFO(named.name);
        CHECK_FALSE(named.name.ends_with("bias"));
    }
    std::ostringstream said;
    said << model;
    CHECK_THAT(said.str(), Contains("eps=0.25") && !Contains("eps=1e-05"));
    CHECK(model.encoder.layers.size() == 2);
    CHECK(model.decoder.layers.size() == 3);
    // Gated feed-forward has no bias, either.
    FeedForward gated(4, 8, random, {.gated = true, .bias = false});
    CHECK(parameters(gated).size() == 3);
}

TEST_CASE("stacks without layers are refused", "[nn][transformer]") {
    Random random(13);
    CHECK(message_of<std::invalid_argument>([&] { TransformerEncoder(0, 4, 2, 8, random); }) ==
          "TransformerEncoder: num_layers is 0; it must be at least 1");
    CHECK(message_of<std::invalid_argument>([&] { TransformerDecoder(-1, 4, 2, 8, random); }) ==
          "TransformerDecoder: num_layers is -1; it must be at least 1");
}

TEST_CASE("what does not fit inside a layer names the line that called it", "[nn][transformer]") {
    Random random(14);
    const Variable X(tensor::zeros({2, 3, 4})), narrow(tensor::zeros({2, 3, 5}));
    const Mask wrong = Mask::causal(7);
    for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
        const TransformerOptions options{.norm = norm};
        const TransformerEncoderLayer encoder_layer(4, 2, 8, random, options);
        const TransformerDecoderLayer decoder_layer(4, 2, 8, random, options);
        const Transformer both({.d_model = 4,
                                .num_heads = 2,
                                .num_encoder_layers = 1,
                                .num_decoder_layers = 1,
                                .d_hidden = 8},
                               random, options);
        const auto shape_error = [](const auto& call) {
            return message_of<ShapeError>([&] { call(); });
        };
        const std::string features = norm == NormPlace::before ? "LayerNorm: x has shape [2, 3, 5]"
                                                               : "MultiHeadAttention: query has";
        const std::string mask = "apply_mask: the mask has shape [7, 7]";
        CHECK_THAT(shape_error([&] { encoder_layer(narrow); }), Contains(features));
        CHECK_THAT(shape_error([&] { encoder_layer(X, wrong); }), Contains(mask));
        CHECK_THAT(shape_error([&] { decoder_layer(narrow, X); }), Contains(features));
        CHECK_THAT(shape_error([&] { decoder_layer(X, narrow); }),
                   Contains("MultiHeadAttention: key has shape [2, 3, 5]"));
        CHECK_THAT(shape_error([&] { decoder_layer(X, X, wrong); }), Contains(mask));
        CHECK_THAT(shape_error([&] { decoder_layer(X, X, std::nullopt, wrong); }), Contains(mask));
        CHECK_THAT(shape_error([&] { both(narrow, X); }), Contains(features));
        CHECK_THAT(shape_error([&] { both(X, narrow); }), Contains(features));
        CHECK_THAT(shape_error([&] { both(X, X, {.source = wrong}); }), Contains(mask));
        DecoderCache cache = decoder_layer.begin(X);
        CHECK_THAT(shape_error([&] { decoder_layer.with_past(narrow, cache); }),
                   Contains(norm == NormPlace::before ? features : "MultiHeadAttention: X has"));
    }
    const FeedForward feed_forward(4, 8, random);
    CHECK_THAT(message_of<ShapeError>([&] { feed_forward(narrow); }),
               Contains("Linear: x has shape [2, 3, 5]"));
}
