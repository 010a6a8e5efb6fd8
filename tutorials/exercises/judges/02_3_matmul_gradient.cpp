#include "tutorials/exercises/judges/02_3_matmul_gradient.h"

#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/matmul.h"
#include "autograd/variable.h"
#include "tensor/factories.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

LinearGradients slipped_matmul_gradient(const Tensor& x, const Tensor& W, const Tensor& upstream,
                                        const Slips& slip) {
    using tensor::matmul;
    using tensor::transpose;
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    Tensor of_x = matmul(G, transpose(W));
    if (slip("ag.dX-noT")) of_x = matmul(G, W);
    if (slip("ag.dX-left")) of_x = matmul(transpose(W), G);
    if (slip("ag.dX-T")) of_x = matmul(W, transpose(G));
    Tensor of_W = matmul(transpose(x), G);
    if (slip("ag.dW-T")) of_W = matmul(transpose(G), x);
    if (slip("ag.dW-noT")) of_W = matmul(x, G);
    if (slip("ag.dW-right")) of_W = matmul(G, transpose(x));
    if (slip("ag.swapped-parents")) std::swap(of_x, of_W);
    if (of_W.rank() == 3 && !slip("ag.dW-unsummed")) {
        if (slip("ag.dW-first")) return {of_x, tensor::select(of_W, 0, 0)};
        if (slip("ag.dW-last")) return {of_x, tensor::select(of_W, 0, -1)};
        if (slip("ag.dW-mean")) return {of_x, tensor::mean(of_W, 0)};
        of_W = tensor::sum(of_W, 0);
    }
    return {of_x, of_W};
}

namespace {

LinearGradient slipping(const Slips& slip) {
    return [=](const Tensor& x, const Tensor& W, const Tensor& G) {
        return slipped_matmul_gradient(x, W, G, slip);
    };
}

struct Input {
    std::string name;
    Tensor x, W, G;
};

Stages stages(const LinearGradient& f, const Input& in) {
    const LinearGradients gradients = f(in.x, in.W, in.G);
    return {{"∂L/∂x", gradients.x}, {"∂L/∂W", gradients.W}};
}

using OfAnswer = std::function<Stages(const LinearGradient&)>;

Case asked(const std::string& name, const OfAnswer& of, const Stages& inputs,
           const LinearGradient& f) {
    return {name, [=](const Slips& slip) { return of(slipping(slip)); }, [=] { return of(f); },
            inputs};
}

Stages inputs_of(const Input& in) { return {{"x", in.x}, {"W", in.W}, {"G", in.G}}; }

Case on(const Input& in, const LinearGradient& f) {
    return asked(
        in.name, [=](const LinearGradient& by) { return stages(by, in); }, inputs_of(in), f);
}

// Needs gradients near 1e-16.
Case on_tiny(const Input& in, const LinearGradient& f) {
    return asked(
        in.name, [=](const LinearGradient& by) { return enlarged(stages(by, in)); }, inputs_of(in),
        f);
}

// The name of the second says in what it differs.
Case three_on(const Input& first, const Input& second, const LinearGradient& f) {
    const auto calls = [=](const LinearGradient& by) {
        return three_calls(first, second, [&](const Input& in) { return stages(by, in); });
    };
    Stages inputs = inputs_of(first);
    for (const Stage& input : inputs_of(second)) inputs.push_back(input);
    return asked("three calls, looked at after the last, " + first.name + second.name, calls,
                 inputs, f);
}

// x with these leading axes and d columns, W [d, e].
Input randoms(std::vector<std::int64_t> of_x, std::int64_t e, std::uint64_t seed, double G = 1) {
    const std::int64_t d = of_x.back();
    const Shape x_shape{Dims(of_x)}, W_shape{d, e};
    of_x.back() = e;
    return {"x " + x_shape.text() + ", W " + W_shape.text(), random(x_shape, seed),
            random(W_shape, seed + 1), random(Shape{Dims(of_x)}, seed + 2, G)};
}

Input renamed(const std::string& name, Input in) {
    in.name = name + in.name;
    return in;
}

// Sums that a float cannot hold, and that cancel.
Input large() {
    return {"large x, W and G", tensor::of({{1e8 + 1, 1e100}, {-1e8, 0.5}}),
            tensor::of({{1e8 + 1, 0, 2.5e7}, {0.5, 2, -1}}),
            tensor::of({{1, 1e100, 2}, {1, 3, -4}})};
}

Input views() {
    return {"views, transposed and sliced", tensor::transpose(random({2, 4, 5}, 92)),
            tensor::transpose(random({3, 4}, 93)),
            tensor::slice(random({2, 5, 6}, 94), 2, 1, 6, 2)};
}

Input permuted() {
    return {"texts that are not the first axis in memory",
            tensor::permute(random({5, 3, 4}, 95), {1, 0, 2}),
            tensor::slice(random({4, 4}, 96), 1, 0, 4, 2),
            tensor::permute(random({2, 3, 5}, 97), {1, 2, 0})};
}

std::vector<Case> cases(const LinearGradient& f) {
    std::vector<Case> all;
    const std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>> shapes = {
        {{5, 3}, 4}, {{3, 3}, 3},    {{3, 5, 2}, 4}, {{2, 3, 3}, 3}, {{1, 1}, 1},
        {{2, 5}, 3}, {{1, 4}, 3},    {{5, 1}, 3},    {{5, 3}, 1},    {{1, 4, 2}, 3},
        {{4, 1}, 1}, {{4, 1, 3}, 2}, {{3, 2, 5}, 5}, {{67, 2}, 3},   {{2, 67, 3}, 2},
        {{1, 3}, 3}, {{2, 1, 3}, 3}, {{3, 3, 2}, 4}};
    std::uint64_t seed = 1;
    for (const auto& [of_x, e] : shapes) {
        all.push_back(on(randoms(of_x, e, seed), f));
        seed += 3;
    }
    all.push_back(on(views(), f));
    all.push_back(on(permuted(), f));
    all.push_back(on(large(), f));
    all.push_back(on_tiny(renamed("a tiny G, ", randoms({3, 5, 2}, 4, 81, 1e-16)), f));
    const Input once = randoms({5, 3}, 4, 84), again = randoms({5, 3}, 4, 87);
    all.push_back(three_on(once, {"", again.x, again.W, again.G}, f));
    all.push_back(three_on(once, {", the second with another x", again.x, once.W, once.G}, f));
    all.push_back(three_on(once, {", the second with another W", once.x, again.W, once.G}, f));
    all.push_back(three_on(once, {", the second with another G", once.x, once.W, again.G}, f));
    return all;
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.dX-noT",
         "∂L/∂x was G·W, with W as it is",
         {"Over which axis of W does the sum for ∂L/∂x run, d or e?",
          "Take G [2, 4] and W [3, 4]: how can you multiply them?"}},
        {"ag.dX-left",
         "∂L/∂x was Wᵀ·G, with W on the wrong side",
         {"W is on the right of x in y = x·W. On which side is it in ∂L/∂x?",
          "Write the shapes beside your product."}},
        {"ag.dX-T",
         "∂L/∂x came out transposed, as W·Gᵀ",
         {"What shape must ∂L/∂x have?", "Write the shapes beside your product."}},
        {"ag.dW-T",
         "∂L/∂W came out transposed, as Gᵀ·x",
         {"What shape must ∂L/∂W have?", "Write the shapes beside your product."}},
        {"ag.dW-noT",
         "∂L/∂W was x·G, with x as it is",
         {"W[k, j] is used for every word i: over which index does the sum run?",
          "Take x [5, 3] and G [5, 4]: how can you multiply them?"}},
        {"ag.dW-right",
         "∂L/∂W was G·xᵀ",
         {"x is on the left of W in y = x·W. On which side is it in ∂L/∂W?",
          "Write the shapes beside your product."}},
        {"ag.swapped-parents",
         "each of the two got the gradient of the other",
         {"Which of the two is returned first?", "Look at the order in your return."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of the results",
         {"How much does L change when y does?", "Look for G in both products."}},
        {"ag.dW-unsummed",
         "each text of the batch had a ∂L/∂W of its own",
         {"How many matrices W are there, and how many texts use it?",
          "Print the shape of ∂L/∂W."}},
        {"ag.dW-first",
         "only the first text of the batch reached ∂L/∂W",
         {"How many texts use W?", "Which texts reach ∂L/∂W?"}},
        {"ag.dW-last",
         "only the last text of the batch reached ∂L/∂W, as if each wrote over the one before",
         {"How many texts use W?", "Is it = or += ?"}},
        {"ag.dW-mean",
         "∂L/∂W was the mean over the texts and not the sum",
         {"If three texts use W, how many contributions does its gradient have?",
          "Look at what you do over the axis of the texts."}},
    };
}

}  // namespace

Exercise matmul_gradient(const LinearGradient& f) {
    Exercise exercise;
    exercise.number = "02.3";
    exercise.title = "The derivative of the matrix product";
    exercise.cases = cases(f);
    exercise.mistakes = mistakes();
    exercise.hints = {
        "Which entries of y change when W[k, j] moves, and by how much each?",
        "Write the shapes of x, W and G on paper: which product of two of them has the shape of W?",
        "∂L/∂x[i, k] = Σ_j G[i, j]·W[k, j], so G·Wᵀ; ∂L/∂W[k, j] = Σ_i x[i, k]·G[i, j], so xᵀ·G, "
        "summed over the texts",
        "matmul(G, transpose(W)) and matmul(transpose(x), G), this one through tensor::sum(…, 0) "
        "where x has three axes"};
    return exercise;
}

Trials matmul_gradient_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return matmul_gradient(slipping(slip)); };
    trials.right["by the library's backward"] = [] {
        return matmul_gradient(
            [](const Tensor& x, const Tensor& W, const Tensor& G) -> LinearGradients {
                const Variable X(x, requires_grad);
                const Variable weight(W, requires_grad);
                heed::matmul(X, weight).backward({.upstream = G});
                return {X.grad(), weight.grad()};
            });
    };
    trials.right["with all texts in one long one"] = [] {
        return matmul_gradient(
            [](const Tensor& x, const Tensor& W, const Tensor& G) -> LinearGradients {
                const Tensor words = tensor::reshape(x, {-1, W.dim(0)});
                const Tensor g = tensor::reshape(G, {-1, W.dim(1)});
                const Tensor of_words = tensor::matmul(g, tensor::transpose(W));
                return {tensor::reshape(of_words, x.shape()),
                        tensor::matmul(tensor::transpose(words), g)};
            });
    };
    return trials;
}

}  // namespace exercise
