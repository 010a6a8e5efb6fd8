// 07 Scaled attention: why scores are divided by √d_k, and what the learned projections W^Q, W^K
// and W^V are for.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "tensor/math.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/07_scaled_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_columns;
using tutorial::same;
using tutorial::say;
using tutorial::section;

// softmax by its definition, without subtracting the maximum.
Tensor plain_softmax(const Tensor& scores) {
    const Tensor powers = tensor::exp(scores);                        // [T]
    const Tensor weights = powers / tensor::sum(powers, 0, keepdim);  // [T]
    return weights;
}

void overflow() {
    section("07.2 Overflow is another matter");
    const Tensor at_the_edge = tensor::of({88, 88.72, 88.73});
    say("What overflows is $exp(s)$. The largest float is $3.4028·10³⁸$, and its logarithm 88.72:");
    std::cout << "s      " << at_the_edge << "\nexp(s) " << tensor::exp(at_the_edge) << "\n\n";
    check(tensor::is_finite(tensor::exp(tensor::of({88, 88.72}))).all() &&
              tensor::exp(at_the_edge)(2) == infinity,
          "$exp(88.72)$ is still a number, $exp(88.73)$ is not");
    say("The remedy is to subtract the largest score from all, which changes no weight (lesson "
        "05). Scores of 1000, with $d_k = 64$:");
    const Tensor scores = tensor::of({1000, 999, 998});
    const Tensor divided = scores / std::sqrt(64.0);
    stop("07.2 overflow", {{"scores", scores}, {"divided", divided}});
    std::cout << "s                           " << scores << "\ns/√64                       "
              << divided << "\nexp(s)/Σexp(s)              " << plain_softmax(scores)
              << "\nthe same of s/√64           " << plain_softmax(divided)
              << "\nwith the maximum subtracted " << tensor::softmax(scores, -1) << "\n\n";
    check(tensor::is_nan(plain_softmax(scores)).all() &&
              tensor::is_nan(plain_softmax(divided)).all(),
          "without the shift both overflow: $√d_k$ does not prevent it");
    const Tensor small = tensor::of({2, 1, 0});
    check(same(tensor::softmax(scores, -1), tensor::softmax(small, -1)),
          "with the shift the weights are those of the scores 2, 1, 0, without any $√d_k$");
    in_the_notes("000 divides by $√d_k$ to \"prevent overflow\" (000-4).");
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

void draw_entropies(const std::vector<Softness>& plain, const std::vector<Softness>& scaled) {
    if (!tutorial::page_is_written()) return;
    const std::vector<double> d_k(sizes.begin(), sizes.end());
    std::vector<double> of_plain, of_scaled;
    for (const Softness& one : plain) of_plain.push_back(one.entropy);
    for (const Softness& one : scaled) of_scaled.push_back(one.entropy);
    tutorial::draw(
        tutorial::plot_svg({.title = "How many keys share a query's weight",
                            .x = {.label = "d_k", .logarithmic = true, .ticks = d_k},
                            .y = {.label = "entropy of the weights, in nats", .covers = {0}},
                            .series = {{"q·k", d_k, of_plain}, {"q·k/√d_k", d_k, of_scaled}},
                            .references = {{"16 equal weights", math::log(16)}}}));
}

void saturation(Random& random) {
    section("07.3 Saturation: what a wide spread does to softmax");
    say("Scores (the numbers before softmax; weights are those after it) that lie far apart give "
        "nearly all weight to the largest. The entropy $-Σ_j a_j·log a_j$ says how many keys share "
        "it: $log 16 = 2.77$ for 16 equal ones, 0 for one alone. And where one weight is 1, "
        "nothing moves any more: lesson 02 derived $∂L/∂s_j = a_j·(G_j - Σ_i G_i·a_i)$ for "
        "softmax, which is $∂y/∂s_j = a_j·(v_j - y)$ here: 0 for each key without weight, and 0 "
        "for the one with all of it, whose $v_j$ is y. So no gradient reaches the query. 16 keys, "
        "512 queries, each with entries of variance 1; L is the sum of the outputs, and the norms "
        "of its gradients are medians over the queries.");
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
    draw_entropies(plain, scaled);
    bool plain_falls = true, scaled_stays = true;
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        plain_falls &= plain[i].entropy < plain[i - 1].entropy;
        scaled_stays &= scaled[i].entropy > 2 && scaled[i].gradient_of_query > 0.1;
    }
    say("The query's gradient first grows, since $∂(q·k)/∂q = k$, whose norm is about $√d_k$, and "
        "then vanishes all the same.");
    check(plain_falls && plain.back().entropy < 0.3,
          "without $√d_k$ the entropy falls as $d_k$ grows, to below 0.3");
    check(plain.back().gradient_of_query < 0.01 * scaled.back().gradient_of_query,
          "and at 1024 the gradient of a query is below a hundredth of that with $√d_k$");
    check(scaled_stays,
          "with $√d_k$, from $d_k = 4$ on, entropies stay above 2, gradients above 0.1");
    in_the_notes("002's code calls the scores weights and the weights scores (002-2).");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 07: scaled attention. Why the scores are divided by $√d_k$, and what the learned "
        "matrices $W^Q$, $W^K$ and $W^V$ are for.");
    the_spread(random);                      // 07.1, spread.cpp
    overflow();                              // 07.2
    saturation(random);                      // 07.3
    projections(random);                     // 07.4, projections.cpp
    const Projections W = learning(random);  // 07.5, learned_lookup.cpp
    what_was_learned(W);                     // 07.6
    why_projections(random);                 // 07.7, controls.cpp
    the_same_by_nn(W, random);               // 07.8, learned_lookup.cpp
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"07_scaled_attention", "Scaled attention: the spread of scores, and learned projections."},
        argc, argv, lesson);
}
