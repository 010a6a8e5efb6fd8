// Fused gradients have the bits of the formula written in differentiable operations, for any number
// of threads.
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
using In = std::vector<Variable>;
using Function = std::function<Variable(const In&)>;

Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random numbers(seed);
    return Variable(tensor::normal(shape, numbers, 0, 2), requires_grad);
}

In drawn(const std::vector<Shape>& shapes) {
    In inputs;
    for (const Shape& shape : shapes) inputs.push_back(drawn(shape, inputs.size() + 1));
    return inputs;
}

// The inputs whose fused gradient differs from the formula's; "" if there are none.
std::string differences(const Function& f, const In& inputs, const Tensor& G) {
    const Variable y = f(inputs);
    const GradOptions one_pass{.retain_graph = true, .upstream = Variable(G)};
    // With create_graph the engine uses the formula.
    const GradOptions recorded{.create_graph = true, .upstream = Variable(G, requires_grad)};
    const std::vector<Variable> quick = grad(y, inputs, one_pass);
    const std::vector<Variable> written_out = grad(y, inputs, recorded);
    std::string wrong;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        CHECK_FALSE(quick[i].requires_grad());
        CHECK(written_out[i].requires_grad());
        if (tensor::same_bits(quick[i].value(), written_out[i].value())) continue;
        wrong += "input " + std::to_string(i) + "; ";
    }
    return wrong;
}

// The same values, at every second place in memory.
Tensor spaced(const Tensor& x) {
    const Tensor column = tensor::unsqueeze(x, -1);
    const Tensor twice = tensor::concatenate({column, column * 3.0}, -1);
    return tensor::select(twice, -1, 0);
}

std::string differences(const Function& f, const In& inputs) {
    const Tensor G = random(f(inputs).shape(), 77);
    return differences(f, inputs, G) + differences(f, inputs, spaced(G)) +
           differences(f, inputs, tensor::expand(tensor::full({}, 0.7), G.shape()));
}

// Row 1 is all -inf, row 2 partly; row 3 has an infinity and a NaN.
Tensor odd_rows(std::int64_t columns) {
    Random numbers(5);
    Tensor x = tensor::normal({6, columns}, numbers);
    Tensor masked = tensor::select(x, 0, 1);
    tensor::overwrite(masked, tensor::full({columns}, -infinity));
    Tensor half = tensor::slice(tensor::select(x, 0, 2), 0, 0, columns / 2);
    tensor::overwrite(half, tensor::full({columns / 2}, -infinity));
    Tensor hole = tensor::slice(tensor::select(x, 0, 3), 0, 0, 1);
    tensor::overwrite(hole, tensor::full({1}, __builtin_nan("")));
    return x;
}

// Layer norm by its formula, one operation after the other.
Variable layer_norm_written_out(const Variable& x, const Variable& weight, const Variable& bias,
                                double eps) {
    std::vector<std::int64_t> axes;
    for (int axis = -weight.rank(); axis < 0; ++axis) axes.push_back(axis);
    const Variable mu = mean(x, Dims(axes), keepdim);
    const Variable variance = var(x, Dims(axes), 0, keepdim);
    return (x - mu) * (1 / sqrt(variance + eps)) * weight + bias;
}

}  // namespace

TEST_CASE("fused gradients of softmax have the bits of its formulas", "[autograd][softmax]") {
    for (const Shape& shape : {Shape{3, 5, 37}, Shape{1, 2, 1}, Shape{2, 0, 3}, Shape{40, 3, 16}}) {
        for (const int axis : {0, 1, 2}) {
            INFO(shape << " along " << axis);
            const auto soft = [&](const In& in) { return softmax(in[0], axis); };
            const auto log_soft = [&](const In& in) { return log_softmax(in[0], axis); };
            CHECK(differences(soft, drawn({shape})) == "");
            CHECK(differences(log_soft, drawn({shape})) == "");
        }
    }
    const In odd = {Variable(odd_rows(21), requires_grad)};
    CHECK(differences([](const In& in) { return softmax(in[0], 1); }, odd) == "");
    CHECK(differences([](const In& in) { return log_softmax(in[0], 1); }, odd) == "");
}

TEST_CASE("fused gradients of functions have the bits of their formulas", "[autograd][functions]") {
    Variable (*const functions[])(const Variable&, CallSite) = {gelu, gelu_tanh, silu,
                                                                tanh, sigmoid,   relu};
    for (Variable (*f)(const Variable&, CallSite) : functions) {
        const auto call = [&](const In& in) { return f(in[0], CallSite::here()); };
        CHECK(differences(call, drawn({{3, 5, 7}})) == "");
        CHECK(differences(call, drawn({Shape{}})) == "");
        CHECK(differences(call, drawn({{0, 3}})) == "");
        const auto turned = [&](const In& in) {
            return f(transpose(in[0], 0, 1), CallSite::here());
        };
        CHECK(differences(turned, drawn({{4, 19}})) == "");
        const In odd = {Variable(odd_rows(9), requires_grad)};
        CHECK(differences(call, odd) == "");
    }
}

TEST_CASE("layer norm's forward pass has the bits of its formula", "[autograd][layer_norm]") {
    const std::vector<std::vector<Shape>> tries = {
        {{4, 37}, {37}, {37}}, {{2, 3, 5}, {5}, {5}}, {{4, 3, 5}, {3, 5}, {3, 5}},
        {{7}, {7}, {7}},       {{0, 3}, {3}, {3}},    {{3, 1}, {1}, {1}}};
    for (const std::vector<Shape>& shapes : tries) {
        const In in = drawn(shapes);
        INFO(in[0].shape());
        const Variable expected = layer_norm_written_out(in[0], in[1], in[2], 0.01);
        CHECK(tensor::same_bits(layer_norm(in[0], in[1], in[2], 0.01).value(), expected.value()));
    }
    const In in = drawn({{9, 4}, {9}, {9}});
    const Variable turned = transpose(in[0]);
    CHECK(tensor::same_bits(layer_norm(turned, in[1], in[2], 0.01).value(),
                            layer_norm_written_out(turned, in[1], in[2], 0.01).value()));
}

TEST_CASE("fused gradients of layer norm have the bits of its formulas", "[autograd][layer_norm]") {
    const auto norm = [](const In& in) { return layer_norm(in[0], in[1], in[2], 0.01); };
    CHECK(differences(norm, drawn({{70, 37}, {37}, {37}})) == "");
    CHECK(differences(norm, drawn({{2, 3, 5}, {5}, {5}})) == "");
    CHECK(differences(norm, drawn({{4, 3, 5}, {3, 5}, {3, 5}})) == "");
    CHECK(differences(norm, drawn({{3, 1}, {1}, {1}})) == "");
    CHECK(differences(norm, drawn({{0, 3}, {3}, {3}})) == "");
    CHECK(differences(norm, drawn({{1, 200}, {200}, {200}})) == "");
}

TEST_CASE("attention in one pass gives the bits of its derivative written out, in one tile of keys "
          "and in several",
          "[autograd][attention]") {
    for (const std::int64_t T_k : {5, 384, 385, 400, 1000}) {
        const std::int64_t T_q = T_k == 5 ? 3 : 30;
        const Mask causal = Mask::causal(T_q, T_k);
        const Mask padding = Mask::padding({T_k - 2, 0}, T_k);  // the second sees nothing
        for (const std::optional<Mask>& mask : {std::optional<Mask>(), {causal}, {padding}}) {
            const auto attention = [&](const In& in) {
                return fused_attention(in[0], in[1], in[2], mask);
            };
            INFO(T_k << " keys, mask " << (mask ? mask->shape().text() : "none"));
            CHECK(differences(attention, drawn({{2, 2, T_q, 6}, {2, 2, T_k, 6}, {2, 2, T_k, 5}})) ==
                  "");
            CHECK(differences(attention, drawn({{2, 1, T_q, 3}, {1, 1, T_k, 3}, {1, 1, T_k, 4}})) ==
                  "");
            const auto changed = [&](const In& in) {
                return fused_attention(in[0], in[1], in[2], mask,
                                       {.bias = in[3], .scale = 0.3, .soft_cap = 2});
            };
            CHECK(differences(
                      changed,
                      drawn({{2, 1, T_q, 3}, {2, 1, T_k, 3}, {2, 1, T_k, 4}, {1, T_q, T_k}})) ==
                  "");
            const auto biased = [&](const In& in) {
                return fused_attention(in[0], in[1], in[2], mask, {.bias = in[3]});
            };
            CHECK(differences(biased,
                              drawn({{2, 1, T_q, 3}, {2, 1, T_k, 3}, {2, 1, T_k, 4}, {T_q, 1}})) ==
                  "");
        }
    }
}

TEST_CASE("layer norm has the gradients of the operations it replaces", "[autograd][layer_norm]") {
    const In in = drawn({{6, 37}, {37}, {37}});
    const Tensor G = random({6, 37}, 3);
    const std::vector<Tensor> received = gradients(layer_norm(in[0], in[1], in[2], 0.01), in, G);
    const std::vector<Tensor> expected =
        gradients(layer_norm_written_out(in[0], in[1], in[2], 0.01), in, G);
    for (std::size_t i = 0; i < 3; ++i) CHECK(close(received[i], expected[i]));
}

TEST_CASE("cross-entropy has the bits of log_softmax at the right class",
          "[autograd][cross_entropy]") {
    const IndexTensor classes({3, 0, 2, 19, 4, 4});
    const Variable x(odd_rows(20), requires_grad);
    const Variable all = -log_softmax(x, -1);
    const Tensor expected =
        tensor::squeeze(tensor::gather(all.value(), 1, classes.reshape({6, 1})), 1);
    CHECK(tensor::same_bits(cross_entropy_losses(x, classes).value(), expected + 0.0));

    const Tensor G = random({6}, 8);
    const Variable right = squeeze(gather(all, 1, classes.reshape({6, 1})), 1);
    CHECK(tensor::same_bits(gradient(cross_entropy_losses(x, classes), x, G),
                            gradient(right, x, G) + 0.0));
}

TEST_CASE("the fused gradient of cross-entropy has the bits of its formula",
          "[autograd][cross_entropy]") {
    const IndexTensor classes({3, 0, no_class, 19, 4, no_class});
    const auto losses = [&](const In& in) { return cross_entropy_losses(in[0], classes); };
    CHECK(differences(losses, drawn({{6, 20}})) == "");
    CHECK(differences(losses, {Variable(odd_rows(20), requires_grad)}) == "");
    const auto none = [](const In& in) {
        return cross_entropy_losses(in[0], IndexTensor({no_class, no_class}));
    };
    CHECK(differences(none, drawn({{2, 5}})) == "");
}

TEST_CASE("rows without a class have loss and gradient 0, whatever their scores",
          "[autograd][cross_entropy]") {
    const Variable x(odd_rows(4), requires_grad);
    const IndexTensor classes({1, no_class, 3, no_class, 0, 2});
    const Variable losses = cross_entropy_losses(x, classes);
    const Tensor dx = gradient(losses, x, tensor::ones({6}));
    for (const std::int64_t row : {1, 3}) {
        CHECK(losses.value()(row) == 0);
        CHECK(tensor::same_bits(tensor::select(dx, 0, row), tensor::zeros({4})));
    }
    CHECK(losses.value()(0) > 0);
}

TEST_CASE("error messages of fused operations", "[autograd][cross_entropy]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<ShapeError>([&] { tensor::cross_entropy_losses(x, IndexTensor({1})); }) ==
          "cross_entropy_losses: x has shape [2, 3] and the classes [1]; they must be [N, C] and "
          "[N]");
    CHECK(message_of<std::out_of_range>([&] {
              tensor::cross_entropy_losses(x, IndexTensor({1, 3}));
          }) == "cross_entropy_losses: class 3 of row 1 is out of range: there are 3 classes, "
                "numbered 0 to 2");
    CHECK(message_of<ShapeError>([&] {
              tensor::cross_entropy_gradient(x, IndexTensor({1, 2}), tensor::zeros({2, 2}),
                                             tensor::zeros({3}));
          }) ==
          "cross_entropy_gradient: x has shape [2, 3], G [3], max_and_log_sum [2, 2]; they must be "
          "[N, C], [N] and [N, 2]");
    const Tensor w = tensor::ones({3});
    CHECK(message_of<ShapeError>([&] { tensor::layer_norm(x, tensor::ones({2}), w, 0.1); }) ==
          "layer_norm: x has shape [2, 3] and the weight [2]; the last axes of x must be those of "
          "the weight, at least one");
    CHECK(message_of<ShapeError>([&] { tensor::layer_norm(x, w, tensor::ones({2}), 0.1); }) ==
          "layer_norm: the bias has shape [2] and the weight [3]; they must be equal");
    CHECK(message_of<std::invalid_argument>([&] { tensor::layer_norm(x, w, w, -1); }) ==
          "layer_norm: eps is -1; it must be finite and not negative");
    CHECK(message_of<ShapeError>([&] {
              tensor::layer_norm_gradient(x, w, tensor::zeros({2, 2}), tensor::zeros({2, 2}));
          }) == "layer_norm_gradient: G has shape [2, 2] and x [2, 3]; they must be equal");
    CHECK(message_of<ShapeError>([&] { tensor::gelu_gradient(x, w); }) ==
          "gelu_gradient: G has shape [2, 3] and the other operand [3]; they must be equal");
    CHECK(message_of<ShapeError>([&] { tensor::softmax_gradient(x, w, 0); }) ==
          "softmax_gradient: Y has shape [2, 3] and G [3]; they must be equal");
}

TEST_CASE("any number of threads gives the same bits as one", "[autograd][threads]") {
    const int before = thread_count();
    const Variable x = drawn({{301, 517}})[0];
    const In norm = drawn({{301, 517}, {517}, {517}});
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < 301; ++i) numbers.push_back(i % 7 == 0 ? no_class : i);
    const IndexTensor classes(numbers);
    std::vector<Tensor> alone;
    for (const int threads : {1, 2, 3, 7}) {
        set_thread_count(threads);
        const Tensor G = random({301, 517}, 4);
        std::vector<Tensor> results =
            gradients(layer_norm(norm[0], norm[1], norm[2], 0.1), norm, G);
        results.push_back(gradient(softmax(x, 1), x, G));
        results.push_back(gradient(log_softmax(x, 0), x, G));
        results.push_back(gradient(gelu(x), x, G));
        results.push_back(gradient(cross_entropy_losses(x, classes), x, random({301}, 5)));
        results.push_back(tensor::sum(G, 0));
        results.push_back(tensor::sum(G, 1));
        results.push_back(tensor::var(G, 1));
        if (threads == 1) alone = results;
        for (std::size_t i = 0; i < results.size(); ++i) {
            INFO("result " << i << ", threads " << threads);
            CHECK(tensor::same_bits(results[i], alone[i]));
        }
    }
    set_thread_count(before);
}
