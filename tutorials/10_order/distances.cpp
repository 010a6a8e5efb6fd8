// Lesson 10: positions as distances, by a bias for each (10.4) and by turning queries and keys
// (10.5).
#include "tutorials/10_order/parts.h"

#include "autograd/ops.h"
#include "nn/positions/relative_bias.h"
#include "nn/positions/rotary_positions.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void biases() {
    section("10.4 Only the distance: a bias for each");
    say("Often it does not matter where two words are, but how far apart. A number for each "
        "distance, added to the score, says just that: $s_ij = q_i·k_j/√d_k + b_(i-j)$. The "
        "numbers b can be learned (Raffel et al. 2020), or fixed: ALiBi (Press et al. 2022) takes "
        "$b = -m·|i - j|$, so that far words count less, with a slope m of its own for each head. "
        "Of h heads, head $n = 1$, 2, ... has $m = 2^(-8n/h)$. For two heads that is $2⁻⁴ = "
        "0.0625$ and $2⁻⁸ = 0.0039$, and over four words:");
    const Tensor falling = Alibi(2).bias(4, 4)->value();  // [2, 4, 4]
    std::cout << "bias of each head =\n" << falling << "\n\n";
    bool by_distance = true;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) {
            by_distance = by_distance && falling(0, i, j) == falling(0, i + 1, j + 1);
        }
    }
    check(by_distance, "each diagonal has one number, since it has one distance");
}

namespace {

// The score of two equal vectors of d ones at this distance, as a share of that at distance 0.
double of_ones(const RotaryPositions& rotary, const Variable& ones, std::int64_t distance) {
    return sum(rotary.turned(ones, distance) * rotary.turned(ones, 0)).item() /
           static_cast<double>(ones.dim(1));
}

void by_hand() {
    say("Rotary positions (Su et al. 2021) add nothing to the scores. They turn queries and keys. "
        "Take the features in pairs, and turn a pair (a, b) at position t by the angle $t·θ$:");
    tutorial::formula("(a, b) → (a·cos(t·θ) - b·sin(t·θ),  a·sin(t·θ) + b·cos(t·θ))");
    say("What does that do to $q_i·k_j$? Turning both by the same angle changes no dot product. So "
        "turn both back by jθ: k is where it was, and q is turned by $iθ - jθ = (i - j)·θ$. What "
        "is left of two angles is their difference:");
    tutorial::formula("q_i·k_j = cos((i-j)·θ)·(q·k) + sin((i-j)·θ)·(q_1·k_2 - q_2·k_1)");
    say("By hand, with $q = k = (1, 0)$ and $θ = 1/2$: at $i = 3$ and $j = 1$ they are (cos 1.5, "
        "sin 1.5) = (0.0707, 0.9975) and (cos 0.5, sin 0.5) = (0.8776, 0.4794), and the product is "
        "$0.0621 + 0.4782 = 0.5403$ = cos 1, the cosine of (3 - 1)/2.");
}

// Bars of the score of two equal vectors against their distance.
void draw_scores() {
    say("How does the score of two vectors change with their distance? Take $d = 32$, so 16 pairs, "
        "whose angles $θ = 10000^(-2i/d)$ go from 1 to 0.0002, and q = k = 32 ones. Their score at "
        "distance D is $2·Σ_i cos(D·θ_i)$, here divided by that at 0:");
    const RotaryPositions rotary(32);
    const Variable ones(tensor::ones({1, 32}));
    bool largest_at_0 = true;
    std::vector<double> distances, shares;
    for (const std::int64_t distance : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
        const double share = of_ones(rotary, ones, distance);
        largest_at_0 = largest_at_0 && (distance == 0 || share < 0.97);
        distances.push_back(static_cast<double>(distance));
        shares.push_back(share);
        const std::string number = std::to_string(distance);
        std::cout << "distance " << std::string(2 - number.size(), ' ') << number << "  "
                  << fixed(share, 2) << "  "
                  << std::string(static_cast<std::size_t>(40 * share + 0.5), '#') << "\n";
    }
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        tutorial::draw_in_place_of_characters(
            tutorial::plot_svg({.title = "Equal vectors, turned by their distance",
                                .x = {.label = "distance, in positions"},
                                .y = {.label = "score, as a share of that at 0", .covers = {0}},
                                .series = {{"q = k", distances, shares}}}));
    }
    check(largest_at_0, "equal vectors have their largest score at distance 0");
    const double near = of_ones(rotary, ones, 1), far = of_ones(rotary, ones, 48);
    check(far < near - 0.5, "at 48 it is lower than at 1 by more than a half");
    say("It falls, but not evenly: fast pairs come round again, slow ones have hardly moved. And "
        "it falls for equal vectors only. Learned $W^Q$ and $W^K$ can make any distance the best "
        "one, as in 10.7, where it is 3.");
}

}  // namespace

void turned_vectors(Random& random) {
    section("10.5 Only the distance: turned vectors");
    by_hand();
    say("The same with 8 features, so four pairs, and random q and k. The product of q at position "
        "i and k at position j:");
    const RotaryPositions rotary(8);
    const Variable q(tensor::normal({1, 8}, random)), k(tensor::normal({1, 8}, random));
    std::vector<Scalar> products;
    for (std::int64_t i = 0; i < 5; ++i) {
        for (std::int64_t j = 0; j < 5; ++j) {
            products.push_back(sum(rotary.turned(q, i) * rotary.turned(k, j)).item());
        }
    }
    const Tensor q_k = tensor::from_vector(products, {5, 5});  // [5, 5]
    stop("10.5 turned products", {{"q_k", q_k}});
    std::cout << "q_1·k_0 = " << fixed(q_k(1, 0)) << "\n\n";
    tutorial::predict_number("How much is $q_4·k_3$, then?", q_k(4, 3), 0.001,
                             "The distance is the same, and so is the product.");
    std::cout << "q_i·k_j =\n" << q_k << "\n\n";
    const double shifted = sum(rotary.turned(q, 1004) * rotary.turned(k, 1001)).item();
    check(std::fabs(shifted - static_cast<double>(q_k(4, 1))) < 1e-4,
          "at positions 1004 and 1001 the product is that at 4 and 1, within 0.0001");
    check(std::fabs(static_cast<double>(q_k(4, 1) - q_k(4, 2))) > 1e-3,
          "at another distance it is another");
    draw_scores();
}
