// The gradients of scores, attend() and the attention layers against finite differences, for their
// sources and all parameters, all drawn at random (a new layer's biases are small or 0).
#include "nn/heed.h"
#include "tests/catch.h"

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

std::string said(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                 const GradcheckOptions& options) {
    const GradcheckResult result = gradcheck(f, inputs, options);
    std::int64_t entries = 0;
    for (const Tensor& input : inputs) entries += input.numel();
    if (result.checked < entries) return "not all was checked";
    return result.ok() ? "" : result.text();
}

// Checks the derivatives of call(layer, sources) by all sources and parameters of the layer.
template <class Layer, class Call>
std::string faults(const Layer& layer, const std::vector<Tensor>& sources, Call call,
                   int order = 1) {
    std::vector<Tensor> inputs = sources;
    GradcheckOptions options{.order = order};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        options.names.push_back("source " + std::to_string(i));
    }
    Layer original = layer;
    std::uint64_t seed = 100;
    for (const NamedParameter& named : parameters(original)) {
        inputs.push_back(drawn(named.parameter.shape(), ++seed));
        options.names.push_back(named.name);
    }
    const auto count = static_cast<std::ptrdiff_t>(sources.size());
    const CheckedFunction f = [&](const std::vector<Variable>& in) {
        Layer copy = layer;
        replace_parameters(copy, std::vector<Variable>(in.begin() + count, in.end()));
        return call(copy, std::vector<Variable>(in.begin(), in.begin() + count));
    };
    return said(f, inputs, options);
}

using Masked = std::optional<Mask>;

template <class Layer>
std::string cross(const Layer& layer, const std::vector<Tensor>& sources, const Masked& mask,
                  int order = 1) {
    const auto call = [&](const Layer& one, const std::vector<Variable>& in) {
        return one(in[0], in[1], in[2], mask);
    };
    return faults(layer, sources, call, order);
}

template <class Layer>
std::string self(const Layer& layer, const Tensor& X, const Masked& mask, int order = 1) {
    const auto call = [&](const Layer& one, const std::vector<Variable>& in) {
        return one(in[0], mask);
    };
    return faults(layer, {X}, call, order);
}

template <class ItsScore>
std::string of_score(const ItsScore& score, const std::vector<Tensor>& QK, int order = 2) {
    const auto call = [](const ItsScore& one, const std::vector<Variable>& in) {
        return one(in[0], in[1]);
    };
    return faults(score, QK, call, order);
}

}  // namespace

TEST_CASE("the derivatives of scores are right", "[nn][gradients]") {
    Random random(1);
    const std::vector<Tensor> same = {drawn({2, 3}, 2), drawn({4, 3}, 3)};
    const std::vector<Tensor> other = {drawn({2, 3}, 4), drawn({4, 2}, 5)};
    CHECK(of_score(DotScore(), same) == "");
    CHECK(of_score(ScaledDotScore(), same) == "");
    CHECK(of_score(GaussianScore(1.5), same) == "");
    CHECK(of_score(AdditiveScore(3, 2, 2, random), other) == "");
    CHECK(of_score(BilinearScore(3, 2, random), other) == "");
    // Keys shared by a batch of queries, transposed inputs, one vector for both.
    const std::vector<Tensor> shared = {drawn({2, 2, 3}, 6), tensor::transpose(drawn({3, 2}, 7))};
    CHECK(of_score(AdditiveScore(3, 3, 2, random), shared, 1) == "");
    CHECK(of_score(BilinearScore(3, 3, random), shared, 1) == "");
    CHECK(of_score(GaussianScore(), shared, 1) == "");
}

TEST_CASE("the derivatives of attend are right at every temperature", "[nn][gradients]") {
    Random random(8);
    const AdditiveScore score(3, 2, 2, random);
    const std::vector<Tensor> QKV = {drawn({3, 3}, 9), drawn({4, 2}, 10), drawn({4, 2}, 11)};
    const Tensor even = drawn({3, 4}, 12);
    for (double temperature : {0.5, 1.0, 3.0}) {
        INFO(temperature);
        const auto call = [&](const AdditiveScore& one, const std::vector<Variable>& in) {
            const AttendOptions options{.mask = Mask::causal(3, 4), .temperature = temperature};
            const Attention attention = attend(one, in[0], in[1], in[2], options);
            // The weights are a result too.
            return concatenate({attention.output, attention.weights * Variable(even)}, -1);
        };
        CHECK(faults(score, QKV, call) == "");
    }
    const CheckedFunction dot = [](const std::vector<Variable>& in) {
        return dot_product_attention(in[0], in[1], in[2], Mask::causal(2, 3)).output;
    };
    CHECK(said(dot, {drawn({2, 3}, 13), drawn({3, 3}, 14), drawn({3, 2}, 15)}, {.order = 2}) == "");
}

TEST_CASE("the derivatives of a head are right", "[nn][gradients]") {
    Random random(16);
    const AttentionHead head(3, 2, random, {.d_v = 4});
    CHECK(self(head, drawn({3, 3}, 17), std::nullopt) == "");
    CHECK(self(head, drawn({2, 3, 3}, 18), Mask::causal(3) & Mask::padding({3, 2}, 3)) == "");
    const AttentionHead other(3, 2, random, {.bias = false, .kdim = 2, .vdim = 4});
    const std::vector<Tensor> sources = {drawn({2, 3}, 19), drawn({3, 2}, 20), drawn({3, 4}, 21)};
    CHECK(cross(other, sources, Mask::causal(2, 3)) == "");
    const AttentionHead dropping(3, 2, random, {.dropout = 0.4});
    CHECK(self(dropping, drawn({3, 3}, 22), std::nullopt) == "");
}

TEST_CASE("the derivatives of multi-head attention are right", "[nn][gradients]") {
    Random random(23);
    const MultiHeadAttention plain(4, 2, random);
    CHECK(self(plain, drawn({2, 3, 4}, 24), Mask::causal(3) & Mask::padding({3, 2}, 3)) == "");
    const MultiHeadAttention other(4, 2, random, {.d_head = 3, .d_v = 1, .kdim = 2, .vdim = 3});
    const std::vector<Tensor> sources = {drawn({2, 2, 4}, 25), drawn({2, 3, 2}, 26),
                                         drawn({2, 3, 3}, 27)};
    CHECK(cross(other, sources, Mask::allowing(drawn({2, 2, 2, 3}, 28) > -0.5)) == "");
    const MultiHeadAttention no_biases(4, 2, random, {.bias = false, .dropout = 0.3});
    CHECK(self(no_biases, drawn({3, 4}, 29), std::nullopt) == "");
}

TEST_CASE("the second derivatives of multi-head attention are right", "[nn][gradients]") {
    Random random(30);
    const MultiHeadAttention layer(2, 2, random, {.d_head = 2});
    CHECK(self(layer, drawn({3, 2}, 31), Mask::causal(3), 2) == "");
}

TEST_CASE("the derivatives of the weights of heads are right", "[nn][gradients]") {
    Random random(37);
    const MultiHeadAttention layer(4, 2, random);
    const auto weights = [](const MultiHeadAttention& one, const std::vector<Variable>& in) {
        // The last projection is unused: its gradient is 0, and this is checked.
        return one.with_weights(in[0], Mask::causal(3)).weights;
    };
    CHECK(faults(layer, {drawn({3, 4}, 38)}, weights) == "");
}

TEST_CASE("a derivative that is wrong is found here", "[nn][gradients]") {
    Random random(39);
    const MultiHeadAttention layer(4, 2, random);
    // Keys without a gradient: right forward, wrong backward.
    const auto detached = [](const MultiHeadAttention& one, const std::vector<Variable>& in) {
        return one(in[0], in[0].detach(), in[0], Mask::causal(3));
    };
    CHECK_THAT(faults(layer, {drawn({3, 4}, 40)}, detached), Contains("source 0"));
}
