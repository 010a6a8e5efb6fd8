// Lesson 07: how far dot products spread, measured (07.1).
#include "tutorials/07_scaled_attention/parts.h"

#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_columns;
using tutorial::say;
using tutorial::section;

bool within(double measured, double theory, double margin) {
    return std::fabs(measured - theory) <= margin;
}

struct Spread {
    double mean;      // of all scores
    double in_a_row;  // variance over the keys of one query, its mean over the queries
};

// The spread of q·k, for each query with each key.
Spread spread_of_products(const Tensor& q, const Tensor& k) {
    const FastKernels fast;                                           // also in a Debug build
    const Tensor products = tensor::matmul(q, tensor::transpose(k));  // [N, N]
    const Tensor in_a_row = tensor::var(products, {-1});              // [N], one for each query
    return {tensor::mean(products).item(), tensor::mean(in_a_row).item()};
}

// The spread: the root of the variance.
std::vector<double> roots_of(const std::vector<double>& variances) {
    std::vector<double> roots;
    for (const double variance : variances) roots.push_back(std::sqrt(variance));
    return roots;
}

void draw_spread(const std::vector<double>& of_centred, const std::vector<double>& of_rand) {
    if (!tutorial::page_is_written()) return;
    const std::vector<double> d_k(sizes.begin(), sizes.end());
    std::vector<double> of_theory;  // in [0, 1]
    for (const double d : d_k) of_theory.push_back(d / 36);
    tutorial::draw(tutorial::plot_svg(
        {.title = "How far the scores of one query spread",
         .x = {.label = "d_k", .logarithmic = true, .ticks = d_k},
         .y = {.label = "standard deviation of q·k", .logarithmic = true},
         .series = {{.name = "centred", .x = d_k, .y = roots_of(of_centred), .line = false},
                    {.name = "in [0, 1]", .x = d_k, .y = roots_of(of_rand), .line = false},
                    {"√d_k", d_k, roots_of(d_k)},
                    {"√(d_k/36)", d_k, roots_of(of_theory)}}}));
}

void what_grows() {
    say("So it is not the average dot product that grows with $d_k$: for centred entries it stays "
        "0. The spread grows. Divided by $√d_k$, the scores of a row have variance 1 again, and "
        "that is the purpose of the root.");
    say("Entries in [0, 1] are not centred: each product has mean 1/4, so the scores have mean "
        "$d_k/4$. That does no harm, since softmax does not see what is added to all scores of a "
        "row. But for a fixed q the variance over the keys is $Σ_c q_c²·Var(k_c)$, which is "
        "$d_k·(1/3)·(1/12) = d_k/36$ on average. After the division 1/36 is left, and softmax of "
        "that is nearly flat: look at the weights of lesson 00's random matrix.");
    in_the_notes("000 draws its entries with rand, in [0, 1]. For 004 the average dot product "
                 "grows with the dimension (004-9). 004 also explains the root by the norm of a "
                 "vector whose k entries are all c: that is $c·√k$ and not $k·√c$, and the reason "
                 "is the spread, not a norm (004-4).");
}

void the_spread(Random& random) {
    section("07.1 How far dot products spread");
    say("$q·k = Σ_c q_c·k_c$ is a sum of $d_k$ products. If all entries are independent, with mean "
        "0 and variance 1, each product has mean 0 and variance 1 too, and variances of "
        "independent terms add up: $q·k$ has mean 0 and variance $d_k$. Measured on 1000 queries "
        "with 1000 keys each, the entries uniform in $[-√3, √3]$, and beside it uniform in [0, 1]. "
        "The variance is that of a row of scores, over the keys of one query, since softmax is "
        "taken over these.");
    const std::int64_t N = 1000;
    tutorial::predict_number("Entries of variance 1: what is the variance of $q·k$ for $d_k = 64$?",
                             static_cast<double>(sizes[3]), 0,
                             "Variances of independent terms add up, and there are $d_k$ of them.");
    tutorial::predict_choice("Entries in [0, 1]: do their products have the same mean as those of "
                             "centred entries?",
                             {"yes", "no"}, "no", "No product is negative: each has mean 1/4.");
    stop("07.1 before measuring");
    std::cout << "             centred, variance 1     uniform in [0, 1]\n";
    print_columns(std::cout, {"d_k", "mean", "variance", "mean", "variance"}, 10);
    std::vector<double> of_centred, of_rand;  // variances
    bool centred_as_predicted = true, mean_as_predicted = true, rows_as_predicted = true;
    for (const std::int64_t d_k : sizes) {
        const double d = static_cast<double>(d_k);
        const Tensor rand_q = tensor::uniform({N, d_k}, random);
        const Tensor rand_k = tensor::uniform({N, d_k}, random);
        const Tensor q = (rand_q - 0.5) * std::sqrt(12.0);  // [N, d_k]
        const Tensor k = (rand_k - 0.5) * std::sqrt(12.0);  // [N, d_k]
        const Spread centred = spread_of_products(q, k);
        const Spread rand = spread_of_products(rand_q, rand_k);
        print_columns(std::cout,
                      {fixed(d, 0), fixed(centred.mean, 2), fixed(centred.in_a_row, 2),
                       fixed(rand.mean, 2), fixed(rand.in_a_row, 2)},
                      10);
        of_centred.push_back(centred.in_a_row);
        of_rand.push_back(rand.in_a_row);
        centred_as_predicted &= within(centred.mean, 0, 0.01 * std::sqrt(d));
        centred_as_predicted &= within(centred.in_a_row, d, 0.2 * d);
        mean_as_predicted &= within(rand.mean, d / 4, 0.04 * std::sqrt(d));
        rows_as_predicted &= within(rand.in_a_row, d / 36, 0.25 * d / 36);
    }
    std::cout << "\n";
    draw_spread(of_centred, of_rand);
    check(centred_as_predicted, "centred entries have mean 0 and variance $d_k$");
    check(mean_as_predicted && rows_as_predicted,
          "entries in [0, 1] have mean $d_k/4$ and variance $d_k/36$");
    what_grows();
}
