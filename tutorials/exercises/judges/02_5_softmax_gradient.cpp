#include "tutorials/exercises/judges/common_derivatives.h"
#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
std::vector<Mistake> mistakes() {
    return {
        {"smb.diag", "each score reached only its own weight: the slope y·(1 - y), where i = j",
         "If one score grows, what happens to the other weights of its row?",
         "Sum a row of your result: it should be 0."},
        {"smb.p-dy", "Y·G was returned, and nothing subtracted from G",
         "If all scores of a row grow by the same number, which weights change?",
         "Sum a row of your result: it should be 0."},
        {"smb.dy-s", "G minus the sum was returned, without the factor y in front",
         "How much can a weight change if it is almost 0?",
         "Look at an entry of Y that is close to 0, and at your result there."},
        {"smb.y-once", "G was multiplied by the factor y, but the sum was not",
         "Which terms of the sum over j does the factor y_i belong to?", "Look at the brackets."},
        {"smb.mean", "the mean of Y·G was taken along the row instead of the sum",
         "Must the sum over j be divided by anything?",
         "Work the sum of row 0 out by hand and compare."},
        {"smb.sum-G", "G was summed along the row without the weights",
         "How much does G_j count if its y_j is almost 0?", "Look at what you sum."},
        {"smb.mean-G", "the plain mean of G was subtracted from each entry",
         "How much does G_j count if its y_j is almost 0?", "Look at what you sum."},
        {"smb.sum-y2", "the weights entered the sum twice",
         "Which of the two factors in -y_j·y_i stands in front of the sum, and which inside?",
         "Look at what you sum."},
        {"smb.all", "the sum went over all rows at once",
         "Does a score reach the weights of another row?", "Print the shape of your sum."},
        {"smb.wrong-axis", "the sum went down the columns",
         "Along which axis do the weights sum to 1?", "Print the shape of your sum."},
        {"smb.first-axis", "the sum went along axis 0, whatever the rank",
         "Along which axis do the weights sum to 1?", "Print the shape of your sum."},
        {"smb.plus", "the sum was added instead of subtracted",
         "If one score grows, do the other weights of its row grow or shrink?",
         "Look at the sign of -y_j·y_i."},
        {"smb.log", "this was the derivative of log-softmax",
         "Is Y what softmax gives, or its logarithm?", "Look at where the factor y stands."},
        {"ag.no-upstream",
         "G was taken for ones, as if L was the sum of all weights, which never changes",
         "How much does L change when a weight does?", "Look for G in your lines."},
    };
}

struct Input {
    Tensor Y, G;
};
Stages given(const Input& in) { return {{"Y", in.Y}, {"G", in.G}}; }

Stages stages(const SoftmaxGradient& gradient, const Input& in) {
    return {{"∂L/∂X", gradient(in.Y, in.G)}};
}

Input of(const Shape& shape, std::uint64_t seed, double deviation = 1) {
    return {tensor::softmax(random(shape, seed, deviation), -1), random(shape, seed + 1)};
}

Input rows() { return of({3, 5}, 1); }

// Every second entry of a transposed tensor, and one row for all three.
Input views() {
    const Tensor wide = tensor::softmax(random({4, 6}, 17), 0);
    return {tensor::slice(tensor::transpose(wide), 0, 1, 6, 2),
            tensor::expand(random({1, 4}, 18), 3, 4)};
}

Inputs<Input> inputs() {
    const Input some = of({2, 6}, 13);
    const Tensor sure = 1000 * tensor::of({{1, -1, 0, 0.5}, {-2, -3, 0, -1}, {5, 5, -5, 4}});
    return {
        {"3 rows of 5", rows()},
        {"2 texts of 3 rows of 4", of({2, 3, 4}, 4)},
        {"2 batches of 3 texts of 2 rows of 5", of({2, 3, 2, 5}, 6)},
        {"scores that leave one weight close to 1", of({4, 3}, 8, 8)},
        {"weights that are exactly 0 and 1", {tensor::softmax(sure, -1), random({3, 4}, 11)}},
        {"a G far from 0", {some.Y, some.G + 1e6}},
        {"a row of 6 without other axes, G mostly 0",
         {tensor::softmax(random({6}, 15), -1), tensor::of({0, 0, 1.5, 0, -0.7, 0})}},
        {"views: Y transposed, the same row of G for all", views()},
        {"4 rows of 4", of({4, 4}, 28)},
        {"2 texts of 3 rows of 3", of({2, 3, 3}, 30)},
        {"weights near 1e-8 and 1e-14 with a large G",
         {tensor::softmax(tensor::of({0, -18, -32}), -1), tensor::of({1, 1e9, 1e10})}},
        {"one row of two", of({1, 2}, 20)},
        {"rows of one", of({3, 1}, 22)},
        {"2 rows of 80", of({2, 80}, 24)},
    };
}

Cases<SoftmaxGradient> cases() {
    const Input some = of({3, 5}, 32), first = rows(), again = of({3, 5}, 26);
    return joined(on_each(stages, inputs()),
                  enlarged(on_each(stages, {{"a tiny G", Input{some.Y, 1e-16 * some.G}}})),
                  three_calls_on_each(stages, {"3 rows of 5", first},
                                      {{"", again},
                                       {", the second with another Y", {again.Y, first.G}},
                                       {", the second with another G", {first.Y, again.G}}}));
}

Tensor of_rows(const SoftmaxGradient& f, const Tensor& G) { return f(rows().Y, G); }

// Adding a constant to all scores of a row changes no weight.
std::string rows_that_move(const SoftmaxGradient& f) { return rows_sum_to_0(of_rows(f, rows().G)); }

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

Rules<SoftmaxGradient> rules() {
    return {
        .number = "02.5",
        .title = "The derivative of softmax",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& Y, const Tensor& G) {
                    return slipped_softmax_gradient(Y, G, slip);
                };
            },
        .cases = cases(),
        .laws = {{"every row of ∂L/∂X sums to 0", rows_that_move},
                 {"a number added to a row of G changes nothing", heeds_equal_G},
                 {"each row is computed from itself alone", rows_that_mix},
                 doubles_with_upstream<SoftmaxGradient>(
                     "softmax",
                     [](const SoftmaxGradient& f, const Tensor& G) {
                         return stages(f, {rows().Y, G});
                     },
                     rows().G)},
        .mistakes = mistakes(),
        .hints = {"Which weights of a row change when x_i does?",
                  "Take a row of two, y = (0.9, 0.1), and G = (1, 0): work out Σ_j G_j·∂y_j/∂x_i "
                  "on paper",
                  "∂L/∂x_i = y_i·(G_i - Σ_j y_j·G_j)",
                  "const Tensor s = tensor::sum(Y * G, -1, keepdim); return Y * (G - s);"},
    };
}

}  // namespace

const Judge<SoftmaxGradient> judge_02_5(rules);

}  // namespace exercise
