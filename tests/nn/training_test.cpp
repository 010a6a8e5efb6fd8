// Small networks learn, and give the same bits each time.
#include "nn/heed.h"
#include "tests/catch.h"

#include <cmath>

using namespace heed;

namespace {
struct Result {
    double first_loss;
    double last_loss;
    Tensor outputs;
};

// Learns whether a point is inside a circle, with everything a training run has.
Result learn_circle(std::uint64_t seed) {
    Random random(seed);
    const Tensor points = tensor::uniform({60, 2}, random, -1, 1);
    const Tensor radii = tensor::sum(points * points, -1);
    std::vector<std::int64_t> labels;
    for (std::int64_t n = 0; n < 60; ++n) labels.push_back(radii(n) < 0.5 ? 1 : 0);
    const IndexTensor targets(labels);

    Sequential network{Linear(2, 12, random), Tanh(), LayerNorm(12), Dropout(0.05, random),
                       Linear(12, 2, random)};
    AdamW optimizer(parameters(network), {.lr = 0.02});
    Result result{};
    for (int step = 0; step < 150; ++step) {
        optimizer.zero_grad();
        const Variable loss = cross_entropy(network(Variable(points)), targets);
        loss.backward();
        clip_grad_norm(parameters(network), 1);
        optimizer.step();
        result.last_loss = loss.item();
        if (step == 0) result.first_loss = result.last_loss;
    }
    network.eval();
    result.outputs = network(Variable(points)).value();
    return result;
}

// Learns the next token of a repeated word, with an embedding table and attention.
double learn_sequence(const std::vector<std::int64_t>& ids, int steps) {
    Random random(3);
    const std::int64_t T = static_cast<std::int64_t>(ids.size()) - 1;
    const IndexTensor inputs(std::vector<std::int64_t>(ids.begin(), ids.end() - 1));
    const IndexTensor targets(std::vector<std::int64_t>(ids.begin() + 1, ids.end()));
    Embedding tokens(5, 8, random);
    Linear W_Q(8, 8, random, no_bias);
    Linear W_K(8, 8, random, no_bias);
    Linear output(8, 5, random);
    std::vector<NamedParameter> all;
    for (Module* layer : std::vector<Module*>{&tokens, &W_Q, &W_K, &output}) {
        for (const NamedParameter& named : parameters(*layer)) all.push_back(named);
    }
    Adam optimizer(all, {.lr = 0.05});
    double last = 0;
    for (int step = 0; step < steps; ++step) {
        optimizer.zero_grad();
        const Variable X = tokens(inputs);  // [T, 8]
        const Attention attention =
            scaled_dot_product_attention(W_Q(X), W_K(X), X, Mask::causal(T));
        const Variable loss = cross_entropy(output(attention.output + X), targets);
        loss.backward();
        optimizer.step();
        last = loss.item();
    }
    return last;
}

}  // namespace

TEST_CASE("a small network learns a circle, and the same bits again", "[nn][training]") {
    const Result once = learn_circle(1);
    CHECK(once.first_loss > 0.4);
    CHECK(once.last_loss < 0.3 * once.first_loss);
    const Result again = learn_circle(1);
    CHECK(tensor::same_bits(once.outputs, again.outputs));
    CHECK(once.last_loss == again.last_loss);
    const Result other = learn_circle(2);
    CHECK_FALSE(tensor::same_bits(once.outputs, other.outputs));
}

TEST_CASE("attention learns which token comes next", "[nn][training]") {
    const std::vector<std::int64_t> ids = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2};
    CHECK(learn_sequence(ids, 1) > 1);
    CHECK(learn_sequence(ids, 60) < 0.1);
}

TEST_CASE("SGD finds the minimum of a quadratic", "[nn][training]") {
    Variable w(tensor::of({5, -3}), requires_grad);
    const Variable target(tensor::of({1, 2}));
    SGD optimizer({w}, {.lr = 0.1, .momentum = 0.5});
    for (int step = 0; step < 100; ++step) {
        optimizer.zero_grad();
        mse_loss(w, target, Reduction::sum).backward();
        optimizer.step();
    }
    CHECK(tensor::all_close(w.value(), target.value(), 1e-4, 1e-4));
}
