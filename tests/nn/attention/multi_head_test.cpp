// MultiHeadAttention against loops in double: sizes, masks for batches and heads, dropout,
// training; multi_head_state_test.cpp tests loading.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/nn/attention/attention_loops.h"
#include "tests/nn/attention/head_by_head.h"

#include <sstream>

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

using Masked = std::optional<Mask>;

// The largest difference between the layer and the loops, over a batch of two sequences.
double apart(const MultiHeadAttention& layer, const Tensor& query, const Tensor& key,
             const Tensor& value, const Masked& mask = std::nullopt) {
    const Attention ours =
        layer.with_weights(Variable(query), Variable(key), Variable(value), mask);
    double worst = 0;
    for (std::int64_t b = 0; b < query.dim(0); ++b) {
        const auto one = [b](const Tensor& x) { return tensor::select(x, 0, b); };
        const loops::Result expected =
            loops::multi_head(layer, one(query), one(key), one(value),
                              [&](std::int64_t n, std::int64_t i, std::int64_t j) {
                                  return loops::sees(mask, b, n, i, j);
                              });
        worst = std::max(worst, loops::distance(one(ours.output.value()), expected.output));
        worst = std::max(worst, loops::distance(one(ours.weights.value()), expected.weights));
    }
    return worst;
}

constexpr double tolerance = sizeof(Scalar) == 8 ? 1e-14 : 2e-6;

// Draws larger projections, so that the weights are far from uniform.
MultiHeadAttention made(std::int64_t d_model, std::int64_t num_heads, std::uint64_t seed,
                        const MultiHeadOptions& options = {}) {
    Random random(seed);
    MultiHeadAttention layer(d_model, num_heads, random, options);
    for (const NamedParameter& one : parameters(layer)) {
        Tensor numbers = one.parameter.value();
        tensor::overwrite(numbers, tensor::normal(numbers.shape(), random, 0, 0.5));
    }
    return layer;
}

}  // namespace

TEST_CASE("multi-head attention equals loops over heads", "[nn][multi_head]") {
    const Tensor X = drawn({2, 4, 6}, 1);
    const Tensor source = drawn({2, 5, 6}, 2);
    const Tensor values = drawn({2, 5, 6}, 3);
    for (std::int64_t heads : {1, 2, 3, 6}) {
        INFO(heads);
        CHECK(apart(made(6, heads, 4), X, X, X) < tolerance);
        CHECK(apart(made(6, heads, 5, {.bias = false}), X, source, values) < tolerance);
    }
    // Heads wider than d_model / h, values of another size, a number that does not divide d_model.
    CHECK(apart(made(6, 2, 6, {.d_head = 5, .d_v = 4}), X, source, values) < tolerance);
    CHECK(apart(made(6, 4, 7, {.d_head = 3}), X, X, X) < tolerance);
    CHECK(apart(made(6, 2, 8, {.d_v = 1}), X, X, X) < tolerance);
    const MultiHeadAttention other = made(6, 3, 9, {.d_v = 4, .kdim = 3, .vdim = 7});
    CHECK(apart(other, X, drawn({2, 5, 3}, 10), drawn({2, 5, 7}, 11)) < tolerance);
    // The same parameters split into another number of heads give another layer.
    MultiHeadAttention recut = made(6, 3, 4);
    const Tensor before = recut(Variable(X)).value();
    recut.num_heads = 2;
    CHECK(tensor::max_difference(recut(Variable(X)).value(), before) > 1e-2);
}

namespace {
std::vector<Tensor> gradients(const Variable& output, MultiHeadAttention& layer,
                              std::vector<Variable> inputs) {
    for (const NamedParameter& each : parameters(layer)) inputs.push_back(each.parameter);
    std::vector<Tensor> all;
    for (const Variable& G :
         grad(output, inputs, {.upstream = Variable(drawn(output.shape(), 5))})) {
        all.push_back(G.value());
    }
    return all;
}

}  // namespace

TEST_CASE("heads in one matrix have the bits and the gradients of heads one by one",
          "[nn][multi_head]") {
    const std::pair<std::int64_t, MultiHeadOptions> layers[] = {
        {3, {}},
        {1, {}},
        {2, {.bias = false}},
        {4, {.d_head = 5}},
        {2, {.bias = false, .d_head = 2, .d_v = 5}},
        {3, {.d_v = 1, .kdim = 4, .vdim = 7}},
        {2, {.bias = false, .output_bias = true}},
        {2, {.bias = true, .output_bias = false}},
    };
    for (const auto& [num_heads, options] : layers) {
        MultiHeadAttention layer = made(6, num_heads, 1, options);
        INFO(layer);
        const Variable query(drawn({2, 4, 6}, 2), requires_grad);
        const Variable key(drawn({2, 5, layer.W_K.weight.dim(1)}, 3), requires_grad);
        const Variable value(drawn({2, 5, layer.W_V.weight.dim(1)}, 4), requires_grad);
        for (const Masked& mask :
             {Masked(), Masked(Mask::causal(4, 5)), Masked(Mask::padding({3, 5}, 5))}) {
            const Attention ours = layer.with_weights(query, key, value, mask);
            const Attention expected = head_by_head(layer, query, key, value, mask);
            CHECK(tensor::same_bits(ours.output.value(), expected.output.value()));
            CHECK(tensor::same_bits(ours.weights.value(), expected.weights.value()));
            const std::vector<Variable> sources = {query, key, value};
            const std::vector<Tensor> all = gradients(ours.output, layer, sources);
            const std::vector<Tensor> right = gradients(expected.output, layer, sources);
            for (std::size_t i = 0; i < all.size(); ++i) {
                CHECK(tensor::all_close(all[i], right[i], 1e-5, 5e-6));
            }
        }
    }
}

TEST_CASE("masks of every shape reach the right heads and sequences", "[nn][multi_head]") {
    const MultiHeadAttention layer = made(6, 3, 12);
    const Tensor X = drawn({2, 4, 6}, 13);
    const Tensor source = drawn({2, 5, 6}, 14);
    CHECK(apart(layer, X, X, X, Mask::causal(4)) < tolerance);
    CHECK(apart(layer, X, source, source, Mask::causal(4, 5)) < tolerance);
    CHECK(apart(layer, X, source, source, Mask::padding({5, 2}, 5)) < tolerance);
    CHECK(apart(layer, X, source, source, Mask::padding({3, 0}, 5)) < tolerance);
    CHECK(apart(layer, X, source, source, Mask::padding({5, 2}, 5) & Mask::causal(4, 5)) <
          tolerance);
    std::uint64_t seed = 15;
    const std::vector<Shape> shapes = {{4, 5},       {1, 5},       {4, 1},       {2, 1, 1, 5},
                                       {2, 1, 4, 5}, {2, 3, 4, 5}, {1, 3, 4, 5}, {1, 3, 1, 5},
                                       {2, 3, 1, 1}, {1, 1, 1, 1}};
    for (const Shape& shape : shapes) {
        INFO(shape);
        const Mask mask = Mask::allowing(drawn(shape, ++seed) > 0);
        CHECK(apart(layer, X, source, source, mask) < tolerance);
    }
}

TEST_CASE("keys of a batch for one sequence of queries, and the reverse", "[nn][multi_head]") {
    const MultiHeadAttention layer = made(6, 3, 26);
    const Tensor X = drawn({2, 4, 6}, 27);
    const Tensor source = drawn({2, 5, 6}, 28);
    const Tensor one = tensor::select(X, 0, 0);
    const Tensor twice = tensor::expand(one, {2, 4, 6});
    const Mask padding = Mask::padding({5, 2}, 5);
    for (const Masked& mask : {Masked(), Masked(padding), Masked(Mask::causal(4, 5))}) {
        const Attention shared = layer.with_weights(Variable(one), Variable(source), mask);
        const Attention repeated = layer.with_weights(Variable(twice), Variable(source), mask);
        CHECK(tensor::same_bits(shared.output.value(), repeated.output.value()));
        CHECK(tensor::same_bits(shared.weights.value(), repeated.weights.value()));
    }
    const Tensor keys = tensor::select(source, 0, 1);
    const Variable shared = layer(Variable(X), Variable(keys));
    const Variable repeated = layer(Variable(X), Variable(tensor::expand(keys, {2, 5, 6})));
    CHECK(tensor::same_bits(shared.value(), repeated.value()));
    CHECK(tensor::same_bits(
        layer(Variable(X), Variable(keys), padding).value(),
        layer(Variable(X), Variable(tensor::expand(keys, {2, 5, 6})), padding).value()));
}

TEST_CASE("the three ways to call a layer agree", "[nn][multi_head]") {
    const MultiHeadAttention layer = made(6, 2, 29);
    const Variable X(drawn({4, 6}, 30)), source(drawn({5, 6}, 31));
    const Mask mask = Mask::causal(4, 5);
    const Tensor self = layer(X, X, X).value();
    CHECK(tensor::same_bits(layer(X).value(), self));
    CHECK(tensor::same_bits(layer(X, X).value(), self));
    CHECK(tensor::same_bits(layer.with_weights(X).output.value(), self));
    const Tensor cross = layer(X, source, source, mask).value();
    CHECK(tensor::same_bits(layer(X, source, mask).value(), cross));
    CHECK(tensor::same_bits(layer.with_weights(X, source, mask).output.value(), cross));
    CHECK(tensor::max_difference(layer(X, source).value(), cross) > 1e-3);
    CHECK(layer.with_weights(X, source).weights.shape() == Shape{2, 4, 5});
}

TEST_CASE("attention dropout works while training only", "[nn][multi_head]") {
    MultiHeadAttention layer = made(6, 2, 32, {.dropout = 0.5});
    const MultiHeadAttention without = [&] {
        MultiHeadAttention copy = layer;
        copy.dropout.set_p(0);
        return copy;
    }();
    const Variable X(drawn({2, 4, 6}, 33));
    const Attention first = layer.with_weights(X);
    const Attention second = layer.with_weights(X);
    const Attention plain = without.with_weights(X);
    CHECK(tensor::max_difference(first.output.value(), second.output.value()) > 1e-2);
    CHECK(tensor::same_bits(first.weights.value(), plain.weights.value()));
    CHECK(tensor::max_difference(first.output.value(), plain.output.value()) > 1e-2);
    // W_O is linear, so the mean over draws is the output without dropout.
    Tensor total = tensor::zeros({2, 4, 6});
    for (int i = 0; i < 1000; ++i) total = total + layer(X).value();
    CHECK(tensor::max_difference(total / 1000.0, plain.output.value()) < 0.25);
    layer.eval();
    CHECK(tensor::same_bits(layer(X).value(), plain.output.value()));
    layer.train();
    CHECK_FALSE(tensor::same_bits(layer(X).value(), plain.output.value()));
}

TEST_CASE("a layer reports its sizes and the names of its parameters", "[nn][multi_head]") {
    Random random(34);
    MultiHeadAttention layer(6, 2, random, {.d_head = 4, .d_v = 5, .kdim = 3, .vdim = 7});
    std::string said;
    for (const NamedParameter& one : parameters(layer)) {
        said += one.name + " " + one.parameter.shape().text() + "; ";
    }
    CHECK(said == "W_Q.weight [8, 6]; W_Q.bias [8]; W_K.weight [8, 3]; W_K.bias [8]; "
                  "W_V.weight [10, 7]; W_V.bias [10]; W_O.weight [6, 10]; W_O.bias [6]; ");
    CHECK(layer.details() == "d_model=6, num_heads=2");
    std::ostringstream printed;
    printed << layer;
    CHECK_THAT(printed.str(), Contains("MultiHeadAttention(d_model=6, num_heads=2"));
    CHECK(count_parameters(MultiHeadAttention(8, 4, random, {.bias = false})) == 4 * 64);
}

TEST_CASE("one step of training moves every parameter", "[nn][multi_head]") {
    MultiHeadAttention layer = made(6, 2, 35, {.d_v = 2, .kdim = 3, .vdim = 5});
    const MultiHeadAttention before = layer;
    const Variable query(drawn({2, 4, 6}, 36)), key(drawn({2, 5, 3}, 37)),
        value(drawn({2, 5, 5}, 38));
    SGD optimizer(parameters(layer), {.lr = 0.1});
    const auto loss = [&] {
        const Variable output = layer(query, key, value);
        return mean((output - 1) * (output - 1));
    };
    const Variable at_first = loss();
    at_first.backward();
    // b_K adds the same to all scores of a query, which softmax ignores.
    CHECK(tensor::max(tensor::abs(layer.W_K.bias.grad())).item() < Scalar(1e-6));
    optimizer.step();
    CHECK(loss().item() < at_first.item());
    MultiHeadAttention old = before;
    const std::vector<NamedParameter> now = parameters(layer), then = parameters(old);
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].name == "W_K.bias") continue;
        INFO(now[i].name);
        CHECK(tensor::max_difference(now[i].parameter.value(), then[i].parameter.value()) > 1e-4);
    }
}
