// Any number of threads gives the same bits: forward, backward, and over training steps, at sizes
// where every loop is long enough to be split.
#include "nn/heed.h"
#include "tests/catch.h"

#include <vector>

using namespace heed;

namespace {
// Restores the number of threads.
class Threads {
  public:
    explicit Threads(int count) : before_(thread_count()) { set_thread_count(count); }
    ~Threads() { set_thread_count(before_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

  private:
    int before_;
};

// Compares the results of `compute` with 1, 2, 3 and 7 threads; the first number of threads whose
// results differ from those of one, or 0.
template <class Compute>
int first_that_differs(const Compute& compute) {
    std::vector<Tensor> alone;
    for (const int count : {1, 2, 3, 7}) {
        const Threads threads(count);
        const std::vector<Tensor> results = compute();
        if (count == 1) alone = results;
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!tensor::same_bits(results[i], alone[i])) return count;
        }
    }
    return 0;
}

// y and the gradients of Σ upstream·y for inputs of these shapes.
template <class Operation>
std::vector<Tensor> forward_and_backward(const Operation& operation,
                                         const std::vector<Shape>& shapes) {
    Random random(3);
    std::vector<Variable> inputs;
    for (const Shape& shape : shapes) {
        inputs.push_back(Variable(tensor::normal(shape, random), requires_grad));
    }
    const Variable y = operation(inputs);
    y.backward({.upstream = tensor::normal(y.shape(), random)});
    std::vector<Tensor> results = {y.value()};
    for (const Variable& input : inputs) results.push_back(input.grad());
    return results;
}

using In = std::vector<Variable>;

// A small transformer with one block.
struct Model : Module {
    TokenAndPositionEmbedding embedding;
    LayerNorm norm_1, norm_2;
    MultiHeadAttention attention;
    Linear up, down, head;

    Model(std::int64_t vocabulary, std::int64_t T, std::int64_t d, Random& random)
        : embedding(vocabulary, T, d, random), norm_1(d), norm_2(d), attention(d, 4, random),
          up(d, 4 * d, random), down(4 * d, d, random), head(d, vocabulary, random) {}

    Variable operator()(const IndexTensor& ids) const {
        const Variable X = embedding(ids);  // [B, T, d]
        const Mask mask = Mask::causal(ids.dim(1), ids.dim(1));
        const Variable attended = X + attention(norm_1(X), mask);  // [B, T, d]
        const Variable hidden = gelu(up(norm_2(attended)));        // [B, T, 4d]
        return head(attended + down(hidden));                      // [B, T, vocabulary]
    }

    void members(MemberVisitor& visit) override {
        visit("embedding", embedding);
        visit("norm_1", norm_1);
        visit("attention", attention);
        visit("norm_2", norm_2);
        visit("up", up);
        visit("down", down);
        visit("head", head);
    }
};

IndexTensor drawn_ids(std::int64_t B, std::int64_t T, std::int64_t vocabulary, Random& random) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < B * T; ++i) ids.push_back(random.below(vocabulary));
    return IndexTensor(ids, {B, T});
}

// The losses of 20 steps, and the final parameters.
std::vector<Tensor> trained() {
    constexpr std::int64_t vocabulary = 67, T = 40, d = 48;
    Random random(5);
    Model model(vocabulary, T, d, random);
    AdamW optimizer(parameters(model), {.lr = 3e-3});
    const IndexTensor ids = drawn_ids(10, T, vocabulary, random);
    const IndexTensor targets = drawn_ids(10, T, vocabulary, random);
    std::vector<Tensor> results;
    for (int step = 0; step < 20; ++step) {
        optimizer.zero_grad();
        const Variable loss = cross_entropy(model(ids), targets);
        loss.backward();
        optimizer.step();
        results.push_back(loss.value());
    }
    for (const NamedParameter& named : parameters(model)) {
        results.push_back(tensor::clone(named.parameter.value()));
    }
    return results;
}

}  // namespace

TEST_CASE("products have the same bits with any number of threads", "[nn][threads]") {
    const auto product = [](const In& in) { return matmul(in[0], in[1]); };
    const auto with_bias = [](const In& in) { return linear(in[0], in[1], in[2]); };
    const auto squares = [&] { return forward_and_backward(product, {{193, 257}, {257, 130}}); };
    CHECK(first_that_differs(squares) == 0);
    const auto batches = [&] {
        return forward_and_backward(product, {{3, 5, 70, 33}, {5, 33, 65}});
    };
    CHECK(first_that_differs(batches) == 0);
    const auto layer = [&] {
        return forward_and_backward(with_bias, {{400, 96}, {300, 96}, {300}});
    };
    CHECK(first_that_differs(layer) == 0);
}

TEST_CASE("maps, sums and choices have the same bits with any number of threads", "[nn][threads]") {
    const Shape wide{3, 70, 400};
    const auto maps = [&] {
        return forward_and_backward(
            [](const In& in) { return gelu(in[0]) * tanh(in[1]) + exp(in[2]) / 7 - in[0]; },
            {wide, {70, 400}, {3, 1, 400}});
    };
    CHECK(first_that_differs(maps) == 0);
    const auto sums = [&] {
        return forward_and_backward(
            [](const In& in) {
                return sum(in[0] * in[0], 1, keepdim) + mean(in[0], {0, 2}, keepdim) +
                       var(in[0], -1, 0, keepdim) + max(in[0], 1, keepdim);
            },
            {wide});
    };
    CHECK(first_that_differs(sums) == 0);
    const auto rows = [&] {
        return forward_and_backward(
            [](const In& in) { return softmax(in[0], -1) * log_softmax(in[0], 1); }, {wide});
    };
    CHECK(first_that_differs(rows) == 0);
    const auto moved = [&] {
        return forward_and_backward(
            [](const In& in) {
                const Variable turned = contiguous(permute(in[0], {2, 0, 1}));
                const Mask mask = Mask::causal(3, 70);
                return masked_fill(turned, mask.blocked(), 0) + flatten(in[1], 0, 0);
            },
            {wide, {400, 3, 70}});
    };
    CHECK(first_that_differs(moved) == 0);
}

TEST_CASE("rows by index have the same bits with any number of threads", "[nn][threads]") {
    Random random(4);
    std::vector<std::int64_t> drawn;
    for (int i = 0; i < 3000; ++i) drawn.push_back(random.below(50));
    const IndexTensor ids(drawn);
    const auto rows = [&] {
        return forward_and_backward([&](const In& in) { return index_select(in[0], 0, ids); },
                                    {{50, 96}});
    };
    CHECK(first_that_differs(rows) == 0);
}

TEST_CASE("20 steps of training have the same bits with any number of threads", "[nn][threads]") {
    CHECK(first_that_differs(trained) == 0);
}
