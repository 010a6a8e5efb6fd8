// Lesson 07: how far dot products spread, measured (07.1).
#include "tutorials/07_scaled_attention/parts.h"

#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

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
    double variance;  // of all scores
    double in_a_row;  // variance over the keys of one query, its mean over the queries
};

// The spread of q·k, for each query with each key.
Spread spread_of_products(const Tensor& q, const Tensor& k) {
    const FastKernels fast;                                           // also in a Debug build
    const Tensor products = tensor::matmul(q, tensor::transpose(k));  // [N, N]
    const Tensor in_a_row = tensor::var(products, {-1});              // [N], one for each query
    return {tensor::mean(products).item(), tensor::var(products).item(),
            tensor::mean(in_a_row).item()};
}

void print_spread(double d, const Spread& centred, const Spread& rand) {
    print_columns(std::cout,
                  {fixed(d, 0), fixed(centred.mean, 2), fixed(centred.variance, 2),
                   fixed(centred.in_a_row, 2), fixed(rand.mean, 2), fixed(d / 4, 2),
                   fixed(rand.variance, 2), fixed(7 * d / 144, 2), fixed(rand.in_a_row, 2),
                   fixed(d / 36, 2)},
                  9);
}

void which_one_matters() {
    say("The one that matters is that of a row, for softmax is taken over the keys of one query, "
        "and does not see what is added to all its scores. For a fixed q, the variance of q·k over "
        "k is Σ_c q_c²·Var(k_c). For centred entries that is d_k·1·1 in the mean, all there is. In "
        "[0, 1] it is d_k·(1/3)·(1/12) = d_k/36, and the rest of 7·d_k/144, d_k/48, is how far the "
        "mean of a row differs from query to query: a part that all keys of a query share. That is "
        "no harm, nor is the d_k/4.");
    say("So it is not the average dot product that grows with d_k: for centred entries it stays 0. "
        "The spread grows. Divided by √d_k, the scores of a row have variance 1 again, and that "
        "is the purpose of the root. (Entries in [0, 1] are left with 1/36, and softmax of that is "
        "nearly flat: look at the weights of lesson 00's random matrix.)");
    in_the_notes("000 draws its entries with rand, in [0, 1]. For 004 the average dot product "
                 "grows with the dimension (004-9). 004 also explains the root by the norm of a "
                 "vector whose k entries are all c: that is c·√k and not k·√c, and the reason is "
                 "the spread, not a norm (004-4).");
}

void the_spread(Random& random) {
    section("07.1 How far dot products spread");
    say("q·k = Σ_c q_c·k_c is a sum of d_k products. If all entries are independent, with mean 0 "
        "and variance 1, each product has mean 0 and variance 1 too, and variances of independent "
        "terms add up: q·k has mean 0 and variance d_k. Measured on 1000 queries with 1000 keys "
        "each, the entries uniform in [-√3, √3]; and beside it on the same numbers uniform in "
        "[0, 1], where each product has mean 1/4 and variance 1/9 - 1/16 = 7/144. The variance is "
        "taken over all pairs of a query and a key, and over the keys of one query: in a row of "
        "the scores.");
    const std::int64_t N = 1000;
    tutorial::predict_number("Entries of variance 1: what is the variance of q·k for d_k = 64?",
                             static_cast<double>(sizes[3]), 0,
                             "Variances of independent terms add up, and there are d_k of them.");
    tutorial::predict_choice(
        "Entries in [0, 1]: beside the variance over all pairs, that of a row is",
        {"larger", "the same", "smaller"}, "smaller",
        "What all keys of a query share counts in the one and not in the other.");
    stop("07.1 before measuring");
    std::cout << "              centred, variance 1                        uniform in [0, 1]\n"
              << "                       variance of                            variance of\n";
    print_columns(
        std::cout,
        {"d_k", "mean", "all", "a row", "mean", "d_k/4", "all", "7d_k/144", "a row", "d_k/36"}, 9);
    bool centred_as_predicted = true, all_as_predicted = true, rows_as_predicted = true;
    for (const std::int64_t d_k : sizes) {
        const double d = static_cast<double>(d_k);
        const Tensor rand_q = tensor::uniform({N, d_k}, random);
        const Tensor rand_k = tensor::uniform({N, d_k}, random);
        const Tensor q = (rand_q - 0.5) * std::sqrt(12.0);  // [N, d_k]
        const Tensor k = (rand_k - 0.5) * std::sqrt(12.0);  // [N, d_k]
        const Spread centred = spread_of_products(q, k);
        const Spread rand = spread_of_products(rand_q, rand_k);
        print_spread(d, centred, rand);
        centred_as_predicted &= within(centred.mean, 0, 0.01 * std::sqrt(d));
        centred_as_predicted &= within(centred.variance, d, 0.2 * d);
        centred_as_predicted &= within(centred.in_a_row, d, 0.2 * d);
        all_as_predicted &= within(rand.mean, d / 4, 0.04 * std::sqrt(d));
        all_as_predicted &= within(rand.variance, 7 * d / 144, 0.2 * 7 * d / 144);
        rows_as_predicted &= within(rand.in_a_row, d / 36, 0.25 * d / 36);
    }
    std::cout << "\n";
    check(centred_as_predicted, "centred entries: mean 0, and variance d_k either way");
    check(all_as_predicted, "entries in [0, 1]: mean d_k/4, and variance 7·d_k/144 over all pairs");
    check(rows_as_predicted, "but d_k/36 over the keys of one query");
    which_one_matters();
}
