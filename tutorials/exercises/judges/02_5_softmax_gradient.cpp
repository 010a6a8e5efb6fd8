#include "tutorials/exercises/judges/02_5_softmax_gradient.h"

#include "tutorials/exercises/judges/common_gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/variable.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/ops/softmax.h"
#include "heed/tensor/views.h"

using namespace heed;

namespace exercise {

Tensor slipped_softmax_gradient(const Tensor& Y, const Tensor& upstream, const Slips& slip) {
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    int axis = slip("smb.wrong-axis") ? -2 : -1;
    if (slip("smb.first-axis")) axis = 0;
    Tensor s = tensor::sum(Y * G, axis, keepdim);
    if (slip("smb.mean")) s = tensor::mean(Y * G, axis, keepdim);
    if (slip("smb.sum-G")) s = tensor::sum(G, axis, keepdim);
    if (slip("smb.mean-G")) s = tensor::mean(G, axis, keepdim);
    if (slip("smb.sum-y2")) s = tensor::sum(Y * Y * G, axis, keepdim);
    if (slip("smb.all")) s = tensor::sum(Y * G);
    if (slip("smb.diag")) s = Y * G;
    if (slip("smb.p-dy")) s = tensor::zeros_like(G);
    if (slip("smb.plus")) s = -s;
    if (slip("smb.log")) return G - Y * tensor::sum(G, axis, keepdim);
    if (slip("smb.dy-s")) return G - s;
    if (slip("smb.y-once")) return Y * G - s;
    return Y * (G - s);
}

namespace {

SoftmaxGradient slipping(const Slips& slip) {
    return [=](const Tensor& Y, const Tensor& G) { return slipped_softmax_gradient(Y, G, slip); };
}

struct Input {
    std::string name;
    Tensor X, G;
};

Stages stages(const SoftmaxGradient& f, const Input& in) {
    return {{"∂L/∂X", f(tensor::softmax(in.X, -1), in.G)}};
}

Case on(const Input& in, const SoftmaxGradient& f) {
    return {in.name, [=](const Slips& slip) { return stages(slipping(slip), in); },
            [=] { return stages(f, in); }};
}

Input rows() { return {"3 rows of 5", random({3, 5}, 1), random({3, 5}, 2)}; }

Tensor of_rows(const SoftmaxGradient& f, const Tensor& G) {
    return f(tensor::softmax(rows().X, -1), G);
}

// Adding a constant to all scores of a row changes no weight.
std::string rows_that_move(const SoftmaxGradient& f) {
    const Tensor sums = tensor::sum(of_rows(f, rows().G), -1);
    return same(sums, tensor::zeros_like(sums)) ? "" : "Not every row of your ∂L/∂X sums to 0.";
}

// The weights of a row always sum to 1, so a G that is constant along a row gives gradient 0.
std::string heeds_equal_G(const SoftmaxGradient& f) {
    const Tensor shifted = rows().G + random({3, 1}, 3);
    return same(of_rows(f, shifted), of_rows(f, rows().G))
               ? ""
               : "With a number added to each row of G, yours is another.";
}

std::string rows_that_mix(const SoftmaxGradient& f) {
    const Tensor Y = tensor::softmax(rows().X, -1);
    const Tensor alone = f(tensor::slice(Y, 0, 1, 2), tensor::slice(rows().G, 0, 1, 2));
    const Tensor among = tensor::slice(f(Y, rows().G), 0, 1, 2);
    return same(alone, among) ? "" : "Row 1 alone is not what it is among the others.";
}

std::vector<Mistake> mistakes() {
    return {
        {"smb.diag",
         "each score reached only its own weight: the slope y·(1 - y) of the diagonal",
         {"If one score grows, what becomes of the other weights of its row?",
          "Sum a row of your result: it should be 0."}},
        {"smb.p-dy",
         "Y·G was handed on, without what all weights of the row have in common",
         {"If all scores of a row grow alike, which weights change?",
          "Sum a row of your result: it should be 0."}},
        {"smb.dy-s",
         "G less the sum was handed on, without the factor y in front",
         {"How strongly can a weight change that is almost 0?",
          "Look at an entry of Y that is close to 0, and at your result there."}},
        {"smb.y-once",
         "the factor y stands at G and not at the sum",
         {"Which terms of the sum over j does the factor y_i belong to?", "Look at the brackets."}},
        {"smb.mean",
         "the mean of Y·G was taken along the row, and not the sum",
         {"What weighs the entries of G, so that they need no division?",
          "Compare your sum for row 0 with the sum worked out by hand."}},
        {"smb.sum-G",
         "G was summed along the row without the weights",
         {"By how much does a single G_j count, if its y_j is almost 0?",
          "Look at what stands in your sum."}},
        {"smb.mean-G",
         "the plain mean of G was taken from each entry",
         {"By how much does a single G_j count, if its y_j is almost 0?",
          "Look at what stands in your sum."}},
        {"smb.sum-y2",
         "the weights entered the sum twice",
         {"How many factors y has -y_j·y_i, and which of them is the one in front?",
          "Look at what stands in your sum."}},
        {"smb.all",
         "the sum went over all rows at once",
         {"Does a score reach the weights of another row?", "Print the shape of your sum."}},
        {"smb.wrong-axis",
         "the sum went down the columns",
         {"Along which axis do the weights sum to 1?", "Print the shape of your sum."}},
        {"smb.first-axis",
         "the sum went over axis 0, whatever the axes mean",
         {"Along which axis do the weights sum to 1?", "Print the shape of your sum."}},
        {"smb.plus",
         "the sum was added and not taken away",
         {"If one score grows, do the other weights of its row grow or shrink?",
          "Look at the sign of -y_j·y_i."}},
        {"smb.log",
         "it was the derivative of log-softmax",
         {"Is Y what softmax gives, or its logarithm?", "Look at where the factor y stands."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of all weights: which never changes",
         {"How much does L change when a weight does?", "Look for G in your lines."}},
    };
}

}  // namespace

Exercise softmax_gradient(const SoftmaxGradient& f) {
    Exercise exercise;
    exercise.number = "02.5";
    exercise.title = "The derivative of softmax";
    exercise.cases = {
        on(rows(), f),
        on({"2 texts of 3 rows of 4", random({2, 3, 4}, 4), random({2, 3, 4}, 5)}, f),
        on({"scores that leave one weight close to 1", random({4, 3}, 6, 8), random({4, 3}, 7)}, f),
        on({"a transposed view", tensor::transpose(random({5, 2}, 8)),
            tensor::transpose(random({5, 2}, 9))},
           f),
        on({"one row of two", random({1, 2}, 10), random({1, 2}, 11)}, f),
    };
    exercise.laws = {
        {"every row of ∂L/∂X sums to 0", [=] { return rows_that_move(f); }},
        {"a number added to a row of G changes nothing", [=] { return heeds_equal_G(f); }},
        {"rows have nothing to do with each other", [=] { return rows_that_mix(f); }},
        doubles_with_upstream(
            "softmax",
            [=](const Tensor& G) {
                return Stages{{"∂L/∂X", of_rows(f, G)}};
            },
            rows().G),
    };
    exercise.mistakes = mistakes();
    exercise.hints = {
        "Which weights of a row change when x_i does?",
        "Take a row of two, y = (0.9, 0.1), and G = (1, 0): work Σ_j G_j·∂y_j/∂x_i out on paper",
        "∂L/∂x_i = y_i·(G_i - Σ_j y_j·G_j)",
        "const Tensor s = tensor::sum(Y * G, -1, keepdim); return Y * (G - s);"};
    return exercise;
}

Trials softmax_gradient_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return softmax_gradient(slipping(slip)); };
    // Y = softmax(log Y), since its rows sum to 1.
    trials.right["by the library's backward"] = [] {
        return softmax_gradient([](const Tensor& Y, const Tensor& G) {
            const Variable X(tensor::log(Y), requires_grad);
            heed::softmax(X, -1).backward({.upstream = G});
            return X.grad();
        });
    };
    trials.right["by the whole matrix of slopes"] = [] {
        return softmax_gradient([](const Tensor& Y, const Tensor& G) {
            const std::int64_t n = Y.dim(-1);
            const Tensor column = tensor::unsqueeze(Y, -1);  // [..., n, 1]
            const Tensor slopes = column * tensor::eye(n) - column * tensor::unsqueeze(Y, -2);
            return tensor::sum(slopes * tensor::unsqueeze(G, -2), -1);
        });
    };
    return trials;
}

}  // namespace exercise
