// 07 Scaled attention: why scores are divided by √d_k, shown by measurement (07.1 to 07.3). The
// projections W^Q, W^K and W^V are in 07_projections.cpp (07.4); 07_learned_lookup.cpp trains them
// until their entries can be interpreted, and 07_controls.cpp shows what is lost without them.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/07_scaled_attention/learned_lookup.h"
#include "tutorials/07_scaled_attention/projections.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_columns;
using tutorial::same;
using tutorial::say;
using tutorial::section;

const std::vector<std::int64_t> sizes = {1, 4, 16, 64, 256, 1024};  // of d_k

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

// softmax by its definition, without subtracting the maximum.
Tensor plain_softmax(const Tensor& scores) {
    const Tensor powers = tensor::exp(scores);                        // [T]
    const Tensor weights = powers / tensor::sum(powers, 0, keepdim);  // [T]
    return weights;
}

void overflow() {
    section("07.2 Overflow is another matter");
    const Tensor at_the_edge = tensor::of({88, 88.72, 88.73});
    say("What overflows is exp(s). The largest float is 3.4028·10³⁸, and its logarithm 88.72:");
    std::cout << "s      " << at_the_edge << "\nexp(s) " << tensor::exp(at_the_edge) << "\n\n";
    check(tensor::is_finite(tensor::exp(tensor::of({88, 88.72}))).all() &&
              tensor::exp(at_the_edge)(2) == infinity,
          "exp(88.72) is still a number, exp(88.73) is not");
    say("Against that the largest score is subtracted from all, which changes no weight (lesson "
        "05). Scores of 1000, with d_k = 64:");
    const Tensor scores = tensor::of({1000, 999, 998});
    const Tensor divided = scores / std::sqrt(64.0);
    stop("07.2 overflow", {{"scores", scores}, {"divided", divided}});
    std::cout << "s                           " << scores << "\ns/√64                       "
              << divided << "\nexp(s)/Σexp(s)              " << plain_softmax(scores)
              << "\nthe same of s/√64           " << plain_softmax(divided)
              << "\nwith the maximum subtracted " << tensor::softmax(scores, -1) << "\n\n";
    check(tensor::is_nan(plain_softmax(scores)).all() &&
              tensor::is_nan(plain_softmax(divided)).all(),
          "without the shift both overflow: √d_k does not prevent it");
    const Tensor small = tensor::of({2, 1, 0});
    check(same(tensor::softmax(scores, -1), tensor::softmax(small, -1)),
          "with the shift the weights are those of the scores 2, 1, 0, without any √d_k");
    in_the_notes("000 divides by √d_k to \"prevent overflow\" (000-4).");
}

double median_norm(const Tensor& gradients) {
    const Tensor norms = tensor::sqrt(tensor::sum(gradients * gradients, -1));  // [B, T_q]
    std::vector<Scalar> sorted = norms.to_vector();
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
}

struct Softness {
    double entropy;            // mean entropy of a query's weights
    double gradient_of_score;  // median norm of a row of ∂L/∂scores
    double gradient_of_query;  // and of a row of ∂L/∂Q
};

// For softmax(Q·Kᵀ/divisor)·V, where L is the sum of the outputs.
Softness softness(const Tensor& q, const Tensor& k, const Tensor& v, double divisor) {
    const Variable Q(q, requires_grad), K(k), V(v);
    const Variable scores = matmul(Q, transpose(K)) / divisor;  // [B, T_q, T_k]
    const Variable weights = softmax(scores, -1);               // [B, T_q, T_k]
    const Variable output = matmul(weights, V);                 // [B, T_q, 1]
    const std::vector<Variable> gradients = grad(sum(output), {scores, Q});

    const Tensor log_weights = tensor::log_softmax(scores.value(), -1);
    const Tensor entropy = -tensor::sum(weights.value() * log_weights, -1);  // [B, T_q]
    return {tensor::mean(entropy).item(), median_norm(gradients[0].value()),
            median_norm(gradients[1].value())};
}

void saturation(Random& random) {
    section("07.3 Saturation: what a wide spread does to softmax");
    say("Scores (the numbers before softmax; weights are those after it) that lie far apart give "
        "nearly all weight to the largest. The entropy -Σ_j a_j·log a_j says how many keys share "
        "it: log 16 = 2.77 for 16 equal ones, 0 for one alone. And where one weight is 1, nothing "
        "moves any more: lesson 02 derived ∂L/∂s_j = a_j·(G_j - Σ_i G_i·a_i) for softmax, which is "
        "∂y/∂s_j = a_j·(v_j - y) here: 0 for each key without weight, and 0 for the one with all "
        "of it, whose v_j is y. So no gradient reaches the query. 16 keys, 512 queries, each with "
        "entries of variance 1; L is the sum of the outputs, and the norms of its gradients are "
        "medians over the queries.");
    std::cout << "             entropy of the weights          ‖∂L/∂s_i‖             ‖∂L/∂q_i‖\n";
    print_columns(std::cout, {"d_k", "q·k", "q·k/√d_k", "q·k", "q·k/√d_k", "q·k", "q·k/√d_k"}, 11);
    std::vector<Softness> plain, scaled;
    for (const std::int64_t d_k : sizes) {
        const Tensor q = tensor::normal({8, 64, d_k}, random);
        const Tensor k = tensor::normal({8, 16, d_k}, random);
        const Tensor v = tensor::normal({8, 16, 1}, random);
        plain.push_back(softness(q, k, v, 1));
        scaled.push_back(softness(q, k, v, std::sqrt(static_cast<double>(d_k))));
        const Softness a = plain.back(), b = scaled.back();
        print_columns(std::cout,
                      {std::to_string(d_k), fixed(a.entropy, 2), fixed(b.entropy, 2),
                       fixed(a.gradient_of_score, 6), fixed(b.gradient_of_score, 6),
                       fixed(a.gradient_of_query, 6), fixed(b.gradient_of_query, 6)},
                      11);
    }
    std::cout << "\n";
    bool plain_falls = true, scaled_stays = true;
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        plain_falls &= plain[i].entropy < plain[i - 1].entropy;
        scaled_stays &= scaled[i].entropy > 2 && scaled[i].gradient_of_query > 0.1;
    }
    say("The query's gradient first grows, since ∂(q·k)/∂q = k, whose norm is about √d_k, and then "
        "vanishes all the same.");
    check(plain_falls && plain.back().entropy < 0.3,
          "without √d_k the entropy falls with every d_k, to below 0.3");
    check(plain.back().gradient_of_query < 0.01 * scaled.back().gradient_of_query,
          "and at 1024 the gradient of a query is below a hundredth of that with √d_k");
    check(scaled_stays, "with √d_k, from d_k = 4 on, entropies stay above 2, gradients above 0.1");
    in_the_notes("002's code calls the scores weights and the weights scores (002-2).");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 07: scaled attention. Why the scores are divided by √d_k, and what the learned "
        "matrices W^Q, W^K and W^V are for.");
    the_spread(random);
    overflow();
    saturation(random);
    projections(random);
    learned_lookup(random);
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"07_scaled_attention", "Scaled attention: the spread of scores, and learned projections."},
        argc, argv, lesson);
}
