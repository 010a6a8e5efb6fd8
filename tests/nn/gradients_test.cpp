// Every layer and loss against finite differences, first and second derivative, in its inputs and
// its parameters, which are drawn at random where they start as ones and zeros.
#include "nn/heed.h"
#include "tests/catch.h"

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

// Checks call(layer, x) in x and in all parameters of the layer, both orders.
template <class Layer, class Call>
std::string faults(const Layer& layer, const Tensor& x, Call call) {
    std::vector<Tensor> inputs = {x};
    GradcheckOptions options{.order = 2, .names = {"x"}};
    Layer original = layer;
    std::uint64_t seed = 100;
    for (const NamedParameter& named : parameters(original)) {
        inputs.push_back(drawn(named.parameter.shape(), ++seed));
        options.names.push_back(named.name);
    }
    const CheckedFunction f = [&](const std::vector<Variable>& in) {
        Layer copy = layer;
        replace_parameters(copy, std::vector<Variable>(in.begin() + 1, in.end()));
        return call(copy, in[0]);
    };
    const GradcheckResult result = gradcheck(f, inputs, options);
    if (result.checked == 0) return "nothing was checked";
    return result.ok() ? "" : result.text();
}

template <class Layer>
std::string faults(const Layer& layer, const Tensor& x) {
    return faults(layer, x, [](const Layer& one, const Variable& in) { return one(in); });
}

std::string faults_of(const CheckedFunction& f, const std::vector<Tensor>& inputs) {
    const GradcheckResult result = gradcheck(f, inputs, {.order = 2});
    if (result.checked == 0) return "nothing was checked";
    return result.ok() ? "" : result.text();
}

}  // namespace

TEST_CASE("the derivatives of Linear are right", "[nn][gradients]") {
    Random random(1);
    CHECK(faults(Linear(3, 2, random), drawn({4, 3}, 1)) == "");
    CHECK(faults(Linear(3, 2, random, no_bias), drawn({2, 4, 3}, 2)) == "");
    CHECK(faults(Linear(3, 3, random), drawn({3}, 3)) == "");
    CHECK(faults(Linear(3, 3, random), tensor::transpose(drawn({3, 3}, 4))) == "");
}

TEST_CASE("the derivatives of LayerNorm are right", "[nn][gradients]") {
    CHECK(faults(LayerNorm(5, {.eps = 0.1}), drawn({3, 5}, 5)) == "");
    CHECK(faults(LayerNorm({2, 3}, {.eps = 0.1}), drawn({4, 2, 3}, 6)) == "");
    CHECK(faults(LayerNorm(1, {.eps = 0.1}), drawn({3, 1}, 7)) == "");
}

TEST_CASE("the derivatives of Embedding are right", "[nn][gradients]") {
    Random random(2);
    const IndexTensor ids({{3, 0}, {1, 3}, {3, 2}});
    const auto scaled = [&](const Embedding& layer, const Variable& x) { return layer(ids) * x; };
    CHECK(faults(Embedding(4, 3, random), drawn({2, 3}, 8), scaled) == "");
}

TEST_CASE("the derivatives of networks are right", "[nn][gradients]") {
    Random random(3);
    const Sequential smooth{Linear(3, 4, random), Tanh(), Linear(4, 2, random), Sigmoid()};
    CHECK(faults(smooth, drawn({2, 3}, 9)) == "");
    const Sequential gelus{Gelu(), LayerNorm(3, {.eps = 0.1}), GeluTanh()};
    CHECK(faults(gelus, drawn({4, 3}, 10)) == "");
    CHECK(faults(Sequential{Silu(), Softmax(0)}, drawn({3, 4}, 60)) == "");
    CHECK(faults(Softmax(), drawn({3, 4}, 61)) == "");
    // Away from the kink.
    const Tensor x = tensor::of({{1, -2, 0.5}, {-0.25, 3, -1}});
    CHECK(faults(Relu(), x) == "");
}

TEST_CASE("the derivatives of Dropout are right, with one fixed draw", "[nn][gradients]") {
    Random random(4);
    CHECK(faults(Dropout(0.4, random), drawn({4, 5}, 11)) == "");
}

TEST_CASE("the derivatives of the losses are right", "[nn][gradients]") {
    const IndexTensor targets({2, 0, -100, 1});
    for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
        INFO("reduction " << static_cast<int>(reduction));
        const auto entropy = [&](const std::vector<Variable>& in) {
            return cross_entropy(in[0], targets, {.reduction = reduction});
        };
        CHECK(faults_of(entropy, {drawn({4, 3}, 12)}) == "");
        const Tensor weights = tensor::of({0.5, 2, 1});
        const auto weighted = [&](const std::vector<Variable>& in) {
            return cross_entropy(
                in[0], targets,
                {.reduction = reduction, .label_smoothing = 0.1, .class_weights = weights});
        };
        CHECK(faults_of(weighted, {drawn({4, 3}, 62)}) == "");
        const auto soft = [&](const std::vector<Variable>& in) {
            return cross_entropy(in[0], in[1], {.reduction = reduction, .class_weights = weights});
        };
        const Tensor p = tensor::softmax(drawn({4, 3}, 63), -1);
        CHECK(faults_of(soft, {drawn({4, 3}, 64), p}) == "");
        const auto nll = [&](const std::vector<Variable>& in) {
            return nll_loss(log_softmax(in[0], -1), targets, {.reduction = reduction});
        };
        CHECK(faults_of(nll, {drawn({4, 3}, 65)}) == "");
        const auto binary = [&](const std::vector<Variable>& in) {
            return binary_cross_entropy_with_logits(in[0], in[1], reduction);
        };
        CHECK(faults_of(binary, {drawn({4, 3}, 66), p}) == "");
        const auto squares = [&](const std::vector<Variable>& in) {
            return mse_loss(in[0], in[1], reduction);
        };
        CHECK(faults_of(squares, {drawn({2, 3}, 13), drawn({2, 3}, 14)}) == "");
    }
}

TEST_CASE("the derivatives of attention are right", "[nn][gradients]") {
    const auto checked = [](const std::optional<Mask>& mask, const std::vector<Tensor>& inputs) {
        const auto output = [&](const std::vector<Variable>& in) {
            return scaled_dot_product_attention(in[0], in[1], in[2], mask).output;
        };
        const auto weights = [&](const std::vector<Variable>& in) {
            return scaled_dot_product_attention(in[0], in[1], Variable(inputs[2]), mask).weights;
        };
        return faults_of(output, inputs) + faults_of(weights, {inputs[0], inputs[1]});
    };
    const std::vector<Tensor> QKV = {drawn({4, 3}, 15), drawn({5, 3}, 16), drawn({5, 2}, 17)};
    CHECK(checked(std::nullopt, QKV) == "");
    CHECK(checked(Mask::causal(4, 5), QKV) == "");
    // Query 1 may attend to nothing.
    std::vector<bool> allowed(20, true);
    for (std::size_t j = 5; j < 10; ++j) allowed[j] = false;
    CHECK(checked(Mask::allowing(BoolTensor(allowed, {4, 5})), QKV) == "");
    CHECK(checked(Mask::padding({2, 3}, 3),
                  {drawn({2, 2, 2, 3}, 18), drawn({2, 1, 3, 3}, 19), drawn({3, 2}, 20)}) == "");
    const auto self = [](const std::vector<Variable>& in) {
        return scaled_dot_product_attention(in[0], in[0], in[0], Mask::causal(3)).output;
    };
    CHECK(faults_of(self, {drawn({3, 3}, 21)}) == "");
}

TEST_CASE("the derivatives of GRU and LSTM are right", "[nn][gradients]") {
    Random random(11);
    const auto of_gru = [](const GRU& one, const Variable& X) {
        const GruResult found = one(X, {3, 2});
        return concatenate({flatten(found.output), flatten(found.h)}, 0);
    };
    const auto of_lstm = [](const LSTM& one, const Variable& X) {
        const LstmResult found = one(X, {3, 2});
        return concatenate({flatten(found.output), flatten(found.state.c)}, 0);
    };
    const Tensor X = drawn({2, 3, 2}, 12);
    CHECK(faults(GRU(2, 2, random, {.bidirectional = true}), X, of_gru) == "");
    CHECK(faults(LSTM(2, 2, random, {.num_layers = 2}), X, of_lstm) == "");
    CHECK(faults(GRU(2, 2, random, {.bias = false}), X, of_gru) == "");
}
