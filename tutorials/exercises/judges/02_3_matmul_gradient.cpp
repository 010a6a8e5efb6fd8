#include "tutorials/exercises/judges/02_3_matmul_gradient.h"

#include "tutorials/exercises/judges/common_gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/variable.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

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

Case on(const Input& in, const LinearGradient& f) {
    return {in.name, [=](const Slips& slip) { return stages(slipping(slip), in); },
            [=] { return stages(f, in); }};
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.dX-noT",
         "∂L/∂x was G·W, with W as it is",
         {"Along which axis of W is summed: the one x meets, or the one y has?",
          "Take G [2, 4] and W [3, 4]: what must be done to multiply them?"}},
        {"ag.dX-left",
         "∂L/∂x was Wᵀ·G, with W on the wrong side",
         {"W stands on the right of x in y = x·W. Where does it stand in ∂L/∂x?",
          "Write the shapes beside your product."}},
        {"ag.dX-T",
         "∂L/∂x came out transposed, as W·Gᵀ",
         {"What shape must ∂L/∂x have?", "Write the shapes beside your product."}},
        {"ag.dW-T",
         "∂L/∂W came out transposed, as Gᵀ·x",
         {"What shape must ∂L/∂W have?", "Write the shapes beside your product."}},
        {"ag.dW-noT",
         "∂L/∂W was x·G, with x as it is",
         {"W[k, j] is used for every word i: over which index is summed?",
          "Take x [5, 3] and G [5, 4]: what must be done to multiply them?"}},
        {"ag.dW-right",
         "∂L/∂W was G·xᵀ",
         {"x stands on the left of W in y = x·W. Where does it stand in ∂L/∂W?",
          "Write the shapes beside your product."}},
        {"ag.swapped-parents",
         "each of the two got the gradient of the other",
         {"Which of the two is returned first?", "Look at the order in your return."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of the results",
         {"How much does L change when y does?", "Look for G in both products."}},
        {"ag.dW-unsummed",
         "each text of the batch kept a ∂L/∂W of its own",
         {"How many W are there, and how many texts use it?", "Print the shape of ∂L/∂W."}},
        {"ag.dW-first",
         "only the first text of the batch reached ∂L/∂W",
         {"How many texts use W?", "Which texts reach ∂L/∂W?"}},
        {"ag.dW-last",
         "only the last text of the batch reached ∂L/∂W, as if each wrote over the one before",
         {"How many texts use W?", "Is it = or += ?"}},
        {"ag.dW-mean",
         "∂L/∂W was the mean over the texts and not the sum",
         {"If W moves and three texts use it, how much of L moves?",
          "Look at what you do over the axis of the texts."}},
    };
}

}  // namespace

Exercise matmul_gradient(const LinearGradient& f) {
    const Input words = {"x [5, 3], W [3, 4]", random({5, 3}, 1), random({3, 4}, 2),
                         random({5, 4}, 3)};
    Exercise exercise;
    exercise.number = "02.3";
    exercise.title = "The derivative of the matrix product";
    exercise.cases = {
        on(words, f),
        on({"x [3, 3], W [3, 3]", random({3, 3}, 4), random({3, 3}, 5), random({3, 3}, 6)}, f),
        on({"3 texts, x [3, 5, 2], W [2, 4]", random({3, 5, 2}, 7), random({2, 4}, 8),
            random({3, 5, 4}, 9)},
           f),
        on({"2 texts, x [2, 3, 3], W [3, 3]", random({2, 3, 3}, 10), random({3, 3}, 11),
            random({2, 3, 3}, 12)},
           f),
        on({"x [1, 1], W [1, 1]", random({1, 1}, 13), random({1, 1}, 14), random({1, 1}, 15)}, f),
    };
    exercise.laws = {doubles_with_upstream(
        "x·W",
        [=](const Tensor& G) {
            return stages(f, {"", words.x, words.W, G});
        },
        words.G)};
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
