// What models of others need of ours: heads of any size and biases in some projections alone; a
// text encoder with token types, a pooler and norms after its layers; and layers made without
// values.
#include "nn/heed.h"

#include "autograd/node.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/head_by_head.h"

#include <sstream>

using namespace heed;

namespace {
GptConfig tiny() {
    return {.vocab_size = 11, .limit = 9, .d_model = 8, .num_layers = 1, .num_heads = 2};
}

TextEncoderConfig bert() {
    return {.vocab_size = 12,
            .limit = 9,
            .d_model = 8,
            .num_layers = 2,
            .num_heads = 2,
            .final_norm = false,
            .norm = NormPlace::after,
            .norm_eps = 1e-3,
            .activation = Activation::relu,
            .num_token_types = 3,
            .pooler = true};
}

void draw_all(Module& model, std::uint64_t seed) {
    Random random(seed);
    for (const ParameterMember& member : parameter_members(member_tree(model))) {
        init::normal(*member.parameter, random, 0, 0.5);
    }
}

bool close(const Variable& a, const Variable& b) {
    return a.shape() == b.shape() && tensor::all_close(a.value(), b.value(), 1e-5, 1e-5);
}

// The names of all biases, without those of norms.
std::string biases(const GptConfig& config) {
    Random random(1);
    const Gpt model(config, random);
    std::string names;
    for (const StateDict::Entry& entry : state_dict(model)) {
        if (entry.name.ends_with(".bias") && entry.name.find("norm") == std::string::npos) {
            names += entry.name.substr(9) + " ";
        }
    }
    return names;
}

}  // namespace

TEST_CASE("each part of a GPT may have biases of its own", "[nn][gpt]") {
    const std::string qkv = "attention.W_Q.bias attention.W_K.bias attention.W_V.bias ";
    const std::string output = "attention.W_O.bias ";
    const std::string both = "feed_forward.W_1.bias feed_forward.W_2.bias ";
    GptConfig config = tiny();
    CHECK(biases(config) == qkv + output + both);
    config.feed_forward_bias = false;
    CHECK(biases(config) == qkv + output);
    config.qkv_bias = false;
    CHECK(biases(config) == output);
    config.bias = false;
    CHECK(biases(config).empty());
    config.qkv_bias = true;
    CHECK(biases(config) == qkv);
    config.output_bias = true;
    CHECK(biases(config) == qkv + output);
    config.feed_forward_bias = true;
    CHECK(biases(config) == qkv + output + both);
}

TEST_CASE("the heads of a GPT may have any size", "[nn][gpt]") {
    Random random(1);
    GptConfig config = tiny();
    config.d_model = 9;
    config.d_head = 6;
    config.positions = PositionKind::rotary;
    const Gpt model(config, random);
    CHECK(model.blocks[0].attention.W_Q.weight.shape() == Shape({12, 9}));
    CHECK(model.blocks[0].attention.W_O.weight.shape() == Shape({9, 12}));
    CHECK(model(IndexTensor({1, 2, 3})).shape() == Shape({3, 11}));
    CHECK(d_head(model.config()) == 6);
    CHECK(d_head(complete(tiny())) == 4);
    std::ostringstream out;
    config.qkv_bias = true;
    config.output_bias = false;
    config.feed_forward_bias = false;
    out << complete(config);
    CHECK_THAT(out.str(), Contains("  .num_kv_heads = 2,\n  .d_head = 6,\n  .d_hidden = 36,\n"));
    CHECK_THAT(out.str(), Contains("  .bias = true,\n  .qkv_bias = true,\n  .output_bias = false,\n"
                                   "  .feed_forward_bias = false,\n"));
    config.d_head = -1;
    CHECK(message_of<std::invalid_argument>([&] { complete(config); }) ==
          "GptConfig: d_head is -1; it must be at least 1");
    config.d_head = std::int64_t{1} << 62;
    CHECK(message_of<std::invalid_argument>([&] { complete(config); }) ==
          "GptConfig: num_heads is 2 and d_head is 4611686018427387904; their product does not fit "
          "in 64 bits");
    config.d_head = 5;
    CHECK(message_of<std::invalid_argument>([&] {
              complete(config);
          }).starts_with("RotaryPositions: 5 of 5 features would be rotated"));
}

TEST_CASE("attention may have biases in all projections but the last", "[nn][multi_head]") {
    Random random(1);
    const Variable X(tensor::normal({3, 8}, random));
    for (const bool bias : {false, true}) {
        MultiHeadAttention layer(8, 2, random, {.bias = bias, .output_bias = !bias});
        draw_all(layer, 2);
        CHECK(layer.W_Q.bias.is_set() == bias);
        CHECK(layer.W_V.bias.is_set() == bias);
        CHECK(layer.W_O.bias.is_set() == !bias);
        CHECK(close(head_by_head(layer, X, X, X).output, layer(X)));
        const std::string has = bias ? "W_Q has a bias, and W_O" : "W_O has a bias, and W_Q";
        CHECK(message_of<std::invalid_argument>([&] { pytorch_state(layer); }) ==
              "pytorch_state: " + has +
                  " has none; in PyTorch's layer all projections have one, or none");
    }
}

TEST_CASE("a text encoder with BERT's parts is its definition, written out", "[nn][models]") {
    Random random(1);
    TextEncoder encoder(bert(), random);
    draw_all(encoder, 2);
    const IndexTensor ids({{0, 3, 4, 5}, {0, 7, 8, 9}}), types({{0, 1, 1, 2}, {0, 0, 1, 2}});
    Variable x = index_select(encoder.embeddings.token_embeddings.weight, 0, ids) +
                 slice(encoder.embeddings.position_embeddings.weight, 0, 0, 4) +
                 index_select(encoder.token_types->weight, 0, types);
    x = encoder.layer_norm(x);
    for (const TransformerEncoderLayer& layer : encoder.layers.layers) {
        CHECK(layer.norm1.details() == "[8], eps=0.001");
        CHECK(layer.norm2.details() == "[8], eps=0.001");
        x = layer.norm1(x + layer.self_attn(x));
        x = layer.norm2(x + layer.feed_forward.W_2(relu(layer.feed_forward.W_1(x))));
    }
    CHECK_FALSE(encoder.layers.norm.has_value());
    CHECK(close(encoder(ids, types), x));
    CHECK(close(encoder.pooled(x), tanh((*encoder.pooler)(select(x, 1, 0)))));
    CHECK(tensor::same_bits(encoder(ids).value(),
                            encoder(ids, IndexTensor({{0, 0, 0, 0}, {0, 0, 0, 0}})).value()));
    // Padding changes no bit here, either.
    const IndexTensor other({{0, 3, 4, 1}, {0, 7, 8, 2}});
    const Mask mask = Mask::padding({3, 3}, 4);
    CHECK(tensor::same_bits(tensor::slice(encoder(ids, types, mask).value(), 1, 0, 3),
                            tensor::slice(encoder(other, types, mask).value(), 1, 0, 3)));

    TextClassifier classifier(bert(), 3, random);
    draw_all(classifier, 3);
    const Variable pooled = classifier.encoder.pooled(classifier.encoder(ids));
    CHECK(close(classifier(ids), classifier.classifier(pooled)));
}

TEST_CASE("token types and a pooler begin as the rest of a BERT does", "[nn][models]") {
    Random random(1);
    TextEncoderConfig config = bert();
    config.d_model = 64;
    const TextEncoder encoder(config, random);
    for (const Parameter* const one : {&encoder.token_types->weight, &encoder.pooler->weight}) {
        const Tensor x = one->value();
        CHECK(tensor::max(tensor::abs(x)).item() <= Scalar(0.04));
        CHECK(tensor::max(tensor::abs(x)).item() > Scalar(0.02));
    }
    CHECK(tensor::same_bits(encoder.pooler->bias.value(), tensor::zeros({64})));
}

TEST_CASE("a text encoder's further options print, if they are not the defaults", "[nn][models]") {
    std::ostringstream out;
    out << complete(bert());
    CHECK_THAT(
        out.str(),
        Contains("  .final_norm = false,\n  .norm = NormPlace::after,\n  .norm_eps = 0.001,\n"
                 "  .activation = Activation::relu,\n  .num_token_types = 3,\n"
                 "  .pooler = true,\n}"));
}

TEST_CASE("a text encoder says what is wrong with types and poolers", "[nn][models]") {
    Random random(1);
    const auto refused = [&](const TextEncoderConfig& config) {
        return message_of<std::invalid_argument>([&] { TextEncoder(config, random); });
    };
    CHECK(refused({.num_token_types = -2}) ==
          "TextEncoderConfig: num_token_types is -2; it cannot be negative");
    CHECK(refused({.norm_eps = -1}).starts_with("LayerNorm: eps is -1"));
    CHECK(refused({.norm = static_cast<NormPlace>(7)}).starts_with("TextEncoderConfig: norm is 7"));
    const TextEncoder plain(TextEncoderConfig{}, random);
    const TextEncoder encoder(bert(), random);
    const IndexTensor ids({1, 2, 3});
    CHECK(message_of<std::invalid_argument>([&] {
              plain(ids, IndexTensor({0, 0, 1}));
          }) == "TextEncoder: this encoder knows no types of tokens: num_token_types is 0");
    CHECK(message_of<ShapeError>([&] {
              encoder(ids, IndexTensor({0, 1}));
          }) == "TextEncoder: ids have shape [3] and their types [2]; each token has one type");
    CHECK(message_of<std::out_of_range>([&] {
              encoder(ids, IndexTensor({0, 1, 3}));
          }) == "Embedding: id 3 at [2] is out of range: there are 3 rows, numbered 0 to 2");
    CHECK(message_of<std::invalid_argument>([&] { plain.pooled(plain(ids)); }) ==
          "TextEncoder: this encoder has no pooler; read the vector of the first token: "
          "select(encoded, -2, 0)");
    CHECK(message_of<ShapeError>([&] {
              encoder.pooled(Variable(tensor::ones({0, 8})));
          }) ==
          "TextEncoder: encoded has shape [0, 8]; it must be [..., T, d_model] with at least one "
          "token");
    CHECK(message_of<ShapeError>([&] {
              encoder.pooled(Variable(tensor::ones({3, 5})));
          }).starts_with("Linear: x has shape [5]"));
}

TEST_CASE("a model made without values takes those of a file, or copies a state",
          "[nn][parameter][state_dict]") {
    Random random(1);
    Gpt model(tiny(), random);
    draw_all(model, 2);
    const IndexTensor ids({3, 1, 4});
    const Tensor logits = model(ids).value();
    const auto made = [&] {
        const WithoutValues nothing_is_drawn;
        return Gpt(tiny(), random);
    };
    Gpt from_state = made();
    CHECK_FALSE(from_state.tokens.weight.has_values());
    StateDict state = state_dict(model);
    state.take("tokens.weight");  // tied to the head's
    load_state_dict(from_state, state);
    CHECK(from_state.tokens.weight.has_values());
    CHECK(tensor::same_bits(from_state(ids).value(), logits));
    CHECK_FALSE(from_state.head.weight.value().shares_storage_with(state.at("head.weight")));
    CHECK(from_state.head.weight.node() == from_state.tokens.weight.node());
    // A state that does not fit changes nothing.
    Gpt empty = made();
    state.take("head.weight");
    CHECK_THROWS_AS(load_state_dict(empty, state), std::invalid_argument);
    CHECK_FALSE(empty.blocks[0].attention.W_Q.weight.has_values());
    CHECK(parameters(from_state).size() == parameters(model).size());
    for (const NamedParameter& one : parameters(from_state)) {
        CHECK(one.parameter.node()->name == one.name.substr(one.name.rfind('.') + 1));
    }
}

TEST_CASE("layers can be made without values, which take no memory", "[nn][parameter]") {
    Random random(1);
    const auto huge = [&] {
        return Gpt({.vocab_size = 1 << 28, .d_model = 1 << 16, .num_layers = 3}, random);
    };
    {
        const WithoutValues nothing_is_drawn;
        const Gpt model = huge();  // 64 TB in float
        for (const ParameterMember& one : parameter_members(readable_member_tree(model))) {
            CHECK(one.parameter->value().storage()->size() == 1);
            CHECK(one.parameter->requires_grad());
        }
        CHECK(model.tokens.weight.shape() == Shape({1 << 28, 1 << 16}));
        CHECK(model.head.weight.node() == model.tokens.weight.node());
        const WithoutValues again;
    }
    CHECK_FALSE(WithoutValues::lives());
    const Linear drawn(2, 3, random);
    CHECK(drawn.weight.value().storage()->size() == 6);
    CHECK(tensor::max(tensor::abs(drawn.weight.value())).item() > 0);
    const Parameter unfilled = Parameter::unfilled({2, 3}, "name");
    CHECK(unfilled.shape() == Shape({2, 3}));
    CHECK(unfilled.value().is_contiguous());
    CHECK(unfilled.is_set());
}
