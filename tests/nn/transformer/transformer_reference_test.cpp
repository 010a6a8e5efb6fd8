// Transformer layers and all their gradients against numbers that PyTorch computed in float64
// (tests/nn/reference/transformer.safetensors); the states are loaded under PyTorch's names.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/nn/reference/reference.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace heed;

namespace {
constexpr bool is_double = sizeof(Scalar) == 8;
constexpr double forward_tolerance = is_double ? 1e-12 : 5e-6;
constexpr double gradient_tolerance = is_double ? 1e-10 : 1e-4;

Tensor frozen(const std::string& name) { return reference_tensors("transformer").at(name); }

StateDict state(const std::string& prefix) {
    return entries_under(reference_tensors("transformer"), prefix);
}

struct Distances {
    double forward = 0, gradient = 0;
};

using Inputs = std::vector<std::pair<std::string, Variable>>;

// Runs the module with PyTorch's parameters and upstream gradient, on its inputs, named.
template <class Network>
Distances distances(const std::string& name, Network network,
                    const std::function<Variable(const Network&, const Inputs&)>& call,
                    const std::vector<std::string>& input_names) {
    load_state_dict(network, state(name + ": state "));
    Network expected = network;
    load_state_dict(expected, state(name + ": grad state "));

    Inputs inputs;
    for (const std::string& one : input_names) {
        inputs.push_back({one, Variable(frozen(name + ": " + one), requires_grad)});
    }
    const Variable output = call(network, inputs);
    output.backward({.upstream = frozen(name + ": upstream")});
    Distances found;
    found.forward = tensor::max_difference(output.value(), frozen(name + ": output"));
    for (const auto& [one, input] : inputs) {
        const Tensor theirs = frozen(name + ": grad " + one);
        found.gradient = std::max(found.gradient, tensor::max_difference(input.grad(), theirs));
    }
    const std::vector<NamedParameter> ours = parameters(network), theirs = parameters(expected);
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        INFO(ours[i].name);
        REQUIRE(ours[i].parameter.has_grad());
        found.gradient =
            std::max(found.gradient,
                     tensor::max_difference(ours[i].parameter.grad(), theirs[i].parameter.value()));
    }
    return found;
}

void check(const std::string& name, const Distances& found) {
    INFO(name << ": output " << found.forward << ", gradients " << found.gradient);
    CHECK(found.forward <= forward_tolerance);
    CHECK(found.gradient <= gradient_tolerance);
}

TransformerOptions options(NormPlace norm, Activation activation) {
    return {.norm = norm, .activation = activation};
}

constexpr NormPlace after = NormPlace::after, before = NormPlace::before;
const std::optional<Mask> none;
const Mask padding = Mask::padding({4, 2}, 4);

Distances encoder_layer(const std::string& name, NormPlace norm, Activation activation,
                        const std::optional<Mask>& mask) {
    Random random(1);
    return distances<TransformerEncoderLayer>(
        name, TransformerEncoderLayer(6, 2, 8, random, options(norm, activation)),
        [&](const TransformerEncoderLayer& layer, const Inputs& in) {
            return layer(in[0].second, mask);
        },
        {"X"});
}

Distances decoder_layer(const std::string& name, NormPlace norm, Activation activation,
                        const std::optional<Mask>& memory_mask) {
    Random random(1);
    return distances<TransformerDecoderLayer>(
        name, TransformerDecoderLayer(6, 2, 8, random, options(norm, activation)),
        [&](const TransformerDecoderLayer& layer, const Inputs& in) {
            return layer(in[0].second, in[1].second, Mask::causal(3), memory_mask);
        },
        {"Y", "X"});
}

Distances encoder(const std::string& name, NormPlace norm, Activation activation, FinalNorm last,
                  const std::optional<Mask>& mask) {
    Random random(1);
    return distances<TransformerEncoder>(
        name, TransformerEncoder(2, 6, 2, 8, random, options(norm, activation), last),
        [&](const TransformerEncoder& stack, const Inputs& in) {
            return stack(in[0].second, mask);
        },
        {"X"});
}

}  // namespace

TEST_CASE("transformer layers agree with PyTorch's, forward and backward",
          "[nn][transformer][reference]") {
    const auto run = [](const std::string& name, const auto& distances_of, const auto&... how) {
        check(name, distances_of(name, how...));
    };
    const Mask causal = Mask::causal(4) & padding;
    run("encoder layer, after, relu", encoder_layer, after, Activation::relu, none);
    run("encoder layer, before, gelu, padding", encoder_layer, before, Activation::gelu, padding);
    run("encoder layer, after, gelu, causal and padding", encoder_layer, after, Activation::gelu,
        causal);
    run("encoder layer, before, relu", encoder_layer, before, Activation::relu, none);
    run("decoder layer, after, relu", decoder_layer, after, Activation::relu, none);
    run("decoder layer, before, gelu, padding", decoder_layer, before, Activation::gelu, padding);
    run("encoder, after", encoder, after, Activation::relu, FinalNorm::no, padding);
    run("encoder, before, norm", encoder, before, Activation::gelu, FinalNorm::yes, none);
}

TEST_CASE("PyTorch's decoder and transformer are computed, too", "[nn][transformer][reference]") {
    Random random(1);
    check("decoder, before, norm",
          distances<TransformerDecoder>(
              "decoder, before, norm",
              TransformerDecoder(2, 6, 2, 8, random, options(before, Activation::relu),
                                 FinalNorm::yes),
              [&](const TransformerDecoder& stack, const Inputs& in) {
                  return stack(in[0].second, in[1].second, Mask::causal(3), padding);
              },
              {"Y", "X"}));
    const TransformerSizes sizes{.d_model = 6,
                                 .num_heads = 2,
                                 .num_encoder_layers = 2,
                                 .num_decoder_layers = 1,
                                 .d_hidden = 8};
    check("transformer, after, relu",
          distances<Transformer>(
              "transformer, after, relu", Transformer(sizes, random),
              [&](const Transformer& both, const Inputs& in) {
                  return both(in[0].second, in[1].second,
                              {.source = padding, .target = Mask::causal(3), .memory = padding});
              },
              {"X", "Y"}));
}

TEST_CASE("the comparison with PyTorch's transformer notices each misreading",
          "[nn][transformer][reference]") {
    const auto far = [](const Distances& found) { return found.forward > 1e-3; };
    CHECK(far(encoder_layer("encoder layer, after, relu", before, Activation::relu, none)));
    CHECK(far(encoder_layer("encoder layer, after, relu", after, Activation::gelu, none)));
    CHECK(far(encoder_layer("encoder layer, before, gelu, padding", before, Activation::gelu_tanh,
                            none)));
    CHECK(
        far(decoder_layer("decoder layer, before, gelu, padding", before, Activation::gelu, none)));
}

TEST_CASE("print the largest distances from PyTorch's transformer layers",
          "[.][transformer-distances]") {
    const auto print = [](const std::string& name, const Distances& found) {
        std::cout << name << ": output " << found.forward << ", gradients " << found.gradient
                  << "\n";
    };
    print("encoder layer, after",
          encoder_layer("encoder layer, after, relu", after, Activation::relu, none));
    print("encoder layer, before",
          encoder_layer("encoder layer, before, relu", before, Activation::relu, none));
    print("decoder layer, after",
          decoder_layer("decoder layer, after, relu", after, Activation::relu, none));
    print("decoder layer, before",
          decoder_layer("decoder layer, before, gelu, padding", before, Activation::gelu, padding));
}
