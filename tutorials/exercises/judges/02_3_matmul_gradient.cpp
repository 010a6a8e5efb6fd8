#include "tutorials/exercises/judges/common_derivatives.h"
#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
std::vector<Mistake> mistakes() {
    return {
        {"ag.dX-noT", "∂L/∂x was G·W, with W as it is",
         "Over which axis of W does the sum for ∂L/∂x run, d or e?",
         "Take G [2, 4] and W [3, 4]: how can you multiply them?"},
        {"ag.dX-left", "∂L/∂x was Wᵀ·G, with W on the wrong side",
         "W is on the right of x in y = x·W. On which side is it in ∂L/∂x?",
         "Write the shapes beside your product."},
        {"ag.dX-T", "∂L/∂x came out transposed, as W·Gᵀ", "What shape must ∂L/∂x have?",
         "Write the shapes beside your product."},
        {"ag.dW-T", "∂L/∂W came out transposed, as Gᵀ·x", "What shape must ∂L/∂W have?",
         "Write the shapes beside your product."},
        {"ag.dW-noT", "∂L/∂W was x·G, with x as it is",
         "W[k, j] is used for every word i: over which index does the sum run?",
         "Take x [5, 3] and G [5, 4]: how can you multiply them?"},
        {"ag.dW-right", "∂L/∂W was G·xᵀ",
         "x is on the left of W in y = x·W. On which side is it in ∂L/∂W?",
         "Write the shapes beside your product."},
        {"ag.swapped-parents", "each of the two got the gradient of the other",
         "Which of the two is returned first?", "Look at the order in your return."},
        {"ag.no-upstream", "G was left out, as if L were the sum of the results",
         "How much does L change when y does?", "Look for G in both products."},
        {"ag.dW-unsummed", "each text of the batch had a ∂L/∂W of its own",
         "How many matrices W are there, and how many texts use it?", "Print the shape of ∂L/∂W."},
        {"ag.dW-first", "only the first text of the batch reached ∂L/∂W", "How many texts use W?",
         "Which texts reach ∂L/∂W?"},
        {"ag.dW-last",
         "only the last text of the batch reached ∂L/∂W, as if each wrote over the one before",
         "How many texts use W?", "Is it = or += ?"},
        {"ag.dW-mean", "∂L/∂W was the mean over the texts and not the sum",
         "If three texts use W, how many contributions does its gradient have?",
         "Look at what you do over the axis of the texts."},
    };
}

struct Input {
    Tensor x, W, G;
};
Stages given(const Input& in) { return {{"x", in.x}, {"W", in.W}, {"G", in.G}}; }

Stages stages(const LinearGradient& f, const Input& in) {
    const LinearGradients gradients = f(in.x, in.W, in.G);
    return {{"∂L/∂x", gradients.x}, {"∂L/∂W", gradients.W}};
}

// x with these leading axes and d columns, W [d, e].
Named<Input> randoms(std::vector<std::int64_t> of_x, std::int64_t e, std::uint64_t seed,
                     double G = 1) {
    const std::int64_t d = of_x.back();
    const Shape x_shape{Dims(of_x)}, W_shape{d, e};
    of_x.back() = e;
    return {
        "x " + x_shape.text() + ", W " + W_shape.text(),
        {random(x_shape, seed), random(W_shape, seed + 1), random(Shape{Dims(of_x)}, seed + 2, G)}};
}

Inputs<Input> inputs() {
    Inputs<Input> all;
    const std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>> shapes = {
        {{5, 3}, 4}, {{3, 3}, 3},    {{3, 5, 2}, 4}, {{2, 3, 3}, 3}, {{1, 1}, 1},
        {{2, 5}, 3}, {{1, 4}, 3},    {{5, 1}, 3},    {{5, 3}, 1},    {{1, 4, 2}, 3},
        {{4, 1}, 1}, {{4, 1, 3}, 2}, {{3, 2, 5}, 5}, {{67, 2}, 3},   {{2, 67, 3}, 2},
        {{1, 3}, 3}, {{2, 1, 3}, 3}, {{3, 3, 2}, 4}};
    std::uint64_t seed = 1;
    for (const auto& [of_x, e] : shapes) {
        all.push_back(randoms(of_x, e, seed));
        seed += 3;
    }
    all.push_back({"views, transposed and sliced",
                   {tensor::transpose(random({2, 4, 5}, 92)), tensor::transpose(random({3, 4}, 93)),
                    tensor::slice(random({2, 5, 6}, 94), 2, 1, 6, 2)}});
    all.push_back({"texts that are not the first axis in memory",
                   {tensor::permute(random({5, 3, 4}, 95), {1, 0, 2}),
                    tensor::slice(random({4, 4}, 96), 1, 0, 4, 2),
                    tensor::permute(random({2, 3, 5}, 97), {1, 2, 0})}});
    // Sums that a float cannot hold, and that cancel.
    all.push_back({"large x, W and G",
                   {tensor::of({{1e8 + 1, 1e100}, {-1e8, 0.5}}),
                    tensor::of({{1e8 + 1, 0, 2.5e7}, {0.5, 2, -1}}),
                    tensor::of({{1, 1e100, 2}, {1, 3, -4}})}});
    return all;
}

Cases<LinearGradient> cases() {
    Named<Input> tiny = randoms({3, 5, 2}, 4, 81, 1e-16);
    tiny.name = "a tiny G, " + tiny.name;
    const Named<Input> once = randoms({5, 3}, 4, 84);
    const Input first = once.in, again = randoms({5, 3}, 4, 87).in;
    return joined(
        on_each(stages, inputs()), enlarged(on_each(stages, {tiny})),
        three_calls_on_each(stages, once,
                            {{"", again},
                             {", the second with another x", {again.x, first.W, first.G}},
                             {", the second with another W", {first.x, again.W, first.G}},
                             {", the second with another G", {first.x, first.W, again.G}}}));
}

Rules<LinearGradient> rules() {
    return {
        .number = "02.3",
        .title = "The derivative of the matrix product",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& x, const Tensor& W, const Tensor& G) {
                    return slipped_matmul_gradient(x, W, G, slip);
                };
            },
        .cases = cases(),
        .mistakes = mistakes(),
        .hints = {"Which entries of y change when W[k, j] moves, and by how much each?",
                  "Write the shapes of x, W and G on paper: which product of two of them has the "
                  "shape of W?",
                  "∂L/∂x[i, k] = Σ_j G[i, j]·W[k, j], so G·Wᵀ; ∂L/∂W[k, j] = Σ_i x[i, k]·G[i, j], "
                  "so xᵀ·G, summed over the texts",
                  "matmul(G, transpose(W)) and matmul(transpose(x), G), this one through "
                  "tensor::sum(…, 0) where x has three axes"},
    };
}

}  // namespace

const Judge<LinearGradient> judge_02_3(rules);

}  // namespace exercise
