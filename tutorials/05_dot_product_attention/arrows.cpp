// Lesson 05: what a dot product measures, and why softmax takes exp (05.1).
#include "tutorials/05_dot_product_attention/parts.h"

#include "nn/attention/attention.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;

void two_arrows() {
    tutorial::section("05.1 Two arrows and a softmax");
    say("Attention compares words, and a word is a vector: an arrow. How similar are two of them? "
        "Their dot product, $x·y = Σ_k x_k y_k$, grows with every dimension in which both are "
        "large and have the same sign, and shrinks where the signs differ. It equals "
        "$|x||y|cos(angle)$, where $|x| = √(x·x)$ is the norm. Here c is a turned by 90°; $2b = a "
        "+ c$ is the diagonal of their square, at 45°.");
    std::cout << "    c\n"
                 "     \\\n"
                 "     \\      b\n"
                 "      \\    /\n"
                 "       \\  /     _.a\n"
                 "       \\ /  _.-'\n"
                 "        o -'\n\n";
    const Tensor arrows = tensor::of({{3, 1}, {1, 2}, {2, 4}, {-1, 3}, {-3, -1}});  // [5, 2]
    const Tensor products = tensor::matmul(arrows, tutorial::row(arrows, 0));       // [5]
    const Tensor norms = tensor::sqrt(tensor::sum(arrows * arrows, -1));            // [5]
    const Tensor cosines = products / (norms(0) * norms);                           // [5]
    tutorial::predict_number("$a·b = 3·1 + 1·2 = 5$. What is $a·c$?", products(3), 0,
                             "$3·(-1) + 1·3$: at a right angle, neither for nor against.");
    stop("05.1 arrows", {{"arrows", arrows}, {"products", products}, {"cosines", cosines}});
    tutorial::Table table = {"with a = (3, 1)", "", {}, {"product", "norm", "cosine", "angle"}, {}};
    table.rows = {"a  = (3, 1)", "b  = (1, 2)", "2b = (2, 4)", "c  = (-1, 3)", "-a = (-3, -1)"};
    const tutorial::Words angles = {"0°", "45°", "45°", "90°", "180°"};
    for (std::int64_t i = 0; i < 5; ++i) {
        table.cells.insert(
            table.cells.end(),
            {{fixed(products(i), 0)}, {fixed(norms(i), 2)}, {fixed(cosines(i), 2)}, {angles[i]}});
    }
    tutorial::print_table(std::cout, table);
    check(products(3) == 0 && products(4) == -products(0),
          "at a right angle the product is 0, for the opposite arrow $-a·a$");
    check(std::fabs(cosines(1) - std::sqrt(0.5)) < 1e-6 && products(2) == products(0),
          "at 45° the cosine is $√½$; but $a·2b = a·a$, since 2b has the larger norm");
}

void softmax_by_hand() {
    say("Softmax takes scores, any numbers, and gives probabilities, positive with the sum 1: $a_j "
        "= exp(s_j) / Σ_k exp(s_k)$. Without exp there would be negative ones:");
    const Tensor s = tensor::of({2, 1, 0, -1});                           // [4]
    const Tensor a = tensor::exp(s) / tensor::sum(tensor::exp(s));        // [4]
    const Tensor t = s + 10;                                              // [4]
    const Tensor shifted = tensor::exp(t) / tensor::sum(tensor::exp(t));  // [4]
    tutorial::predict_number("The first score is 2, the second 1. The first weight is how many "
                             "times the second?",
                             a(0) / a(1), 0.02, "$exp(2) / exp(1) = exp(2 - 1) = e = 2.718$.");
    stop("05.1 softmax", {{"s", s}, {"a", a}});
    std::cout << "scores s          " << s << "\ns / Σ s           " << s / tensor::sum(s)
              << "\nexp(s) / Σ exp(s) " << a << "\n\n";
    say("exp is always positive, keeps the order, and makes only differences count: $a_i / a_j = "
        "exp(s_i - s_j)$. One more point of score is worth a factor of e in weight, and what is "
        "added to all scores cancels: 05.4 makes use of that.");
    bool ratios = true;
    for (std::int64_t j = 1; j < 4; ++j)
        ratios = ratios && std::fabs(a(j - 1) / a(j) - 2.71828) < 1e-4;
    check(tensor::min(a).item() > 0 && std::fabs(tensor::sum(a).item() - 1) < 1e-6,
          "all weights are positive, and sum to 1");
    check(ratios && tensor::all_close(a, shifted, 0, 1e-6),
          "each is e times the next, and 10 more on every score changes nothing");
}
