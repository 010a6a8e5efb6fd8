#include "tutorials/exercises/judges/02_5_softmax_gradient.h"

#include "tutorials/exercises/judges/common_gradients.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/softmax.h"
#include "autograd/variable.h"
#include "tensor/factories.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

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
    Tensor Y, G;
};

Case on(const Input& in, const SoftmaxGradient& f) {
    const auto stages = [in](const SoftmaxGradient& gradient) {
        return Stages{{"∂L/∂X", gradient(in.Y, in.G)}};
    };
    return {in.name,
            [=](const Slips& slip) { return stages(slipping(slip)); },
            [=] { return stages(f); },
            {{"Y", in.Y}, {"G", in.G}}};
}

// Needs a gradient near 1e-16.
Case on_tiny(const Input& in, const SoftmaxGradient& f) {
    const auto stages = [in](const SoftmaxGradient& gradient) {
        return enlarged({{"∂L/∂X", gradient(in.Y, in.G)}});
    };
    return {in.name,
            [=](const Slips& slip) { return stages(slipping(slip)); },
            [=] { return stages(f); },
            {{"Y", in.Y}, {"G", in.G}}};
}

// The name of the second says in what it differs.
Case three_on(const Input& first, const Input& second, const SoftmaxGradient& f) {
    const auto stages = [=](const SoftmaxGradient& gradient) {
        return three_calls(first, second, [&](const Input& in) {
            return Stages{{"∂L/∂X", gradient(in.Y, in.G)}};
        });
    };
    return {"three calls, looked at after the last, " + first.name + second.name,
            [=](const Slips& slip) { return stages(slipping(slip)); },
            [=] { return stages(f); },
            {{"Y", first.Y}, {"G", first.G}, {"Y", second.Y}, {"G", second.G}}};
}

Input of(const std::string& name, const Shape& shape, std::uint64_t seed, double deviation = 1) {
    return {name, tensor::softmax(random(shape, seed, deviation), -1), random(shape, seed + 1)};
}

Input rows() { return of("3 rows of 5", {3, 5}, 1); }

// Every second entry of a transposed tensor, and one row for all three.
Input views() {
    const Tensor wide = tensor::softmax(random({4, 6}, 17), 0);
    return {"views: Y transposed, the same row of G for all",
            tensor::slice(tensor::transpose(wide), 0, 1, 6, 2),
            tensor::expand(random({1, 4}, 18), 3, 4)};
}

std::vector<Input> inputs() {
    Input far_from_0 = of("a G far from 0", {2, 6}, 13);
    far_from_0.G = far_from_0.G + 1e6;
    const Tensor sure = 1000 * tensor::of({{1, -1, 0, 0.5}, {-2, -3, 0, -1}, {5, 5, -5, 4}});
    return {
        rows(),
        of("2 texts of 3 rows of 4", {2, 3, 4}, 4),
        of("2 batches of 3 texts of 2 rows of 5", {2, 3, 2, 5}, 6),
        of("scores that leave one weight close to 1", {4, 3}, 8, 8),
        {"weights that are exactly 0 and 1", tensor::softmax(sure, -1), random({3, 4}, 11)},
        far_from_0,
        {"a row of 6 without other axes, G mostly 0", tensor::softmax(random({6}, 15), -1),
         tensor::of({0, 0, 1.5, 0, -0.7, 0})},
        views(),
        of("4 rows of 4", {4, 4}, 28),
        of("2 texts of 3 rows of 3", {2, 3, 3}, 30),
        {"weights near 1e-8 and 1e-14 with a large G",
         tensor::softmax(tensor::of({0, -18, -32}), -1), tensor::of({1, 1e9, 1e10})},
        of("one row of two", {1, 2}, 20),
        of("rows of one", {3, 1}, 22),
        of("2 rows of 80", {2, 80}, 24),
    };
}

Tensor of_rows(const SoftmaxGradient& f, const Tensor& G) { return f(rows().Y, G); }

// Adding a constant to all scores of a row changes no weight.
std::string rows_that_move(const SoftmaxGradient& f) {
    const Tensor sums = tensor::sum(of_rows(f, rows().G), -1);
    const Tensor zeros = tensor::zeros_like(sums);
    return same(sums, zeros) ? "" : "The sum of a row, " + worst_entry(sums, zeros) + ".";
}

// The weights of a row always sum to 1, so a G that is constant along a row gives gradient 0.
std::string heeds_equal_G(const SoftmaxGradient& f) {
    const Tensor before = of_rows(f, rows().G);
    const Tensor after = of_rows(f, rows().G + random({3, 1}, 3));
    if (same(after, before)) return "";
    return "With a number added to each row of G, yours " + difference(after, before) + ".";
}

std::string rows_that_mix(const SoftmaxGradient& f) {
    const Tensor alone = f(tensor::slice(rows().Y, 0, 1, 2), tensor::slice(rows().G, 0, 1, 2));
    const Tensor among = tensor::slice(of_rows(f, rows().G), 0, 1, 2);
    if (same(alone, among)) return "";
    return "Row 1 alone, compared with row 1 among the others, " + difference(alone, among) + ".";
}

std::vector<Mistake> mistakes() {
    return {
        {"smb.diag",
         "each score reached only its own weight: the slope y·(1 - y), where i = j",
         {"If one score grows, what happens to the other weights of its row?",
          "Sum a row of your result: it should be 0."}},
        {"smb.p-dy",
         "Y·G was returned, and nothing subtracted from G",
         {"If all scores of a row grow by the same number, which weights change?",
          "Sum a row of your result: it should be 0."}},
        {"smb.dy-s",
         "G minus the sum was returned, without the factor y in front",
         {"How much can a weight change if it is almost 0?",
          "Look at an entry of Y that is close to 0, and at your result there."}},
        {"smb.y-once",
         "G was multiplied by the factor y, but the sum was not",
         {"Which terms of the sum over j does the factor y_i belong to?", "Look at the brackets."}},
        {"smb.mean",
         "the mean of Y·G was taken along the row instead of the sum",
         {"Must the sum over j be divided by anything?",
          "Work the sum of row 0 out by hand and compare."}},
        {"smb.sum-G",
         "G was summed along the row without the weights",
         {"How much does G_j count if its y_j is almost 0?", "Look at what you sum."}},
        {"smb.mean-G",
         "the plain mean of G was subtracted from each entry",
         {"How much does G_j count if its y_j is almost 0?", "Look at what you sum."}},
        {"smb.sum-y2",
         "the weights entered the sum twice",
         {"Which of the two factors in -y_j·y_i stands in front of the sum, and which inside?",
          "Look at what you sum."}},
        {"smb.all",
         "the sum went over all rows at once",
         {"Does a score reach the weights of another row?", "Print the shape of your sum."}},
        {"smb.wrong-axis",
         "the sum went down the columns",
         {"Along which axis do the weights sum to 1?", "Print the shape of your sum."}},
        {"smb.first-axis",
         "the sum went along axis 0, whatever the rank",
         {"Along which axis do the weights sum to 1?", "Print the shape of your sum."}},
        {"smb.plus",
         "the sum was added instead of subtracted",
         {"If one score grows, do the other weights of its row grow or shrink?",
          "Look at the sign of -y_j·y_i."}},
        {"smb.log",
         "this was the derivative of log-softmax",
         {"Is Y what softmax gives, or its logarithm?", "Look at where the factor y stands."}},
        {"ag.no-upstream",
         "G was taken for ones, as if L was the sum of all weights, which never changes",
         {"How much does L change when a weight does?", "Look for G in your lines."}},
    };
}

}  // namespace

Exercise softmax_gradient(const SoftmaxGradient& f) {
    Exercise exercise;
    exercise.number = "02.5";
    exercise.title = "The derivative of softmax";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, f));
    Input tiny = of("a tiny G", {3, 5}, 32);
    tiny.G = 1e-16 * tiny.G;
    exercise.cases.push_back(on_tiny(tiny, f));
    const Input once = rows(), again = of("", {3, 5}, 26);
    exercise.cases.push_back(three_on(once, again, f));
    exercise.cases.push_back(three_on(once, {", the second with another Y", again.Y, once.G}, f));
    exercise.cases.push_back(three_on(once, {", the second with another G", once.Y, again.G}, f));
    exercise.laws = {
        {"every row of ∂L/∂X sums to 0", [=] { return rows_that_move(f); }},
        {"a number added to a row of G changes nothing", [=] { return heeds_equal_G(f); }},
        {"each row is computed from itself alone", [=] { return rows_that_mix(f); }},
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
        "Take a row of two, y = (0.9, 0.1), and G = (1, 0): work out Σ_j G_j·∂y_j/∂x_i on paper",
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
