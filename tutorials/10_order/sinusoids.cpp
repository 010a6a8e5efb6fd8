// Lesson 10: positions as sines and cosines (10.3), and a head for the word before that needs no
// training (10.6).
#include "tutorials/10_order/parts.h"

#include "nn/positions/sinusoidal_positions.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/maps.h"
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
using tutorial::row;
using tutorial::say;
using tutorial::section;

// The matrix that turns each pair of entries one position back: PE[t - 1] = PE[t]·R. Position 1 has
// the sine and cosine of each pair's angle.
Tensor one_back(std::int64_t d) {
    const Tensor angles = row(SinusoidalPositions(d).table(2), 1);  // [d]
    Tensor R = tensor::zeros({d, d});
    for (std::int64_t i = 0; i < d; i += 2) {
        const Scalar sin = angles(i), cos = angles(i + 1);
        Tensor pair = tensor::slice(tensor::slice(R, 0, i, i + 2), 1, i, i + 2);  // [2, 2]
        tensor::overwrite(pair, tensor::of({{cos, sin}, {-sin, cos}}));
    }
    return R;
}

// The table misread: all columns of an even position are sines, of an odd one cosines.
Tensor sines_of_even_positions(std::int64_t d, std::int64_t T) {
    const Tensor PE = SinusoidalPositions(2 * d).table(T);  // [T, 2d]: a sine and a cosine for each
    std::vector<Tensor> rows;
    for (std::int64_t t = 0; t < T; ++t) {
        rows.push_back(tensor::slice(row(PE, t), 0, t % 2, 2 * d, 2));  // [d]
    }
    return tensor::stack(rows);
}

// A row of the map: a letter for each entry from -1 to 1.
std::string shades(const Tensor& entries) {
    const std::string letters[] = {"█", "▓", "▒", "░", " "};
    std::string drawn;
    for (const Scalar entry : entries.to_vector()) {
        const int shade = static_cast<int>((1 - entry) * Scalar(2.499));
        drawn += letters[shade];
    }
    return drawn;
}

void sinusoids() {
    section("10.3 Sines and cosines");
    say("Vaswani et al. add fixed waves: $PE[t, 2i] = sin(t/10000^(2i/d))$ and $PE[t, 2i+1] = "
        "cos(t/10000^(2i/d))$. i counts pairs of columns, not columns. Each pair is the hand of a "
        "clock, the first fast, the last slow. $d = 32$; a row for each position, dark for 1, "
        "light for -1:");
    const SinusoidalPositions waves(32);
    const Tensor PE = waves.table(16);  // [16, 32]
    stop("10.3 the table", {{"PE", PE}});
    for (std::int64_t t = 0; t < 16; ++t) {
        std::cout << (t < 10 ? " " : "") << t << "  " << shades(row(PE, t)) << "\n";
    }
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        tutorial::draw_in_place_of_characters(
            tutorial::map_svg("PE: fast clocks left, slow ones right", PE, "position t", "column"));
    }
    check((tensor::abs(PE) <= 1).all() && (PE < 0).any(), "the entries are between -1 and 1");
    const Tensor far = waves.table(2, 1'000'000);
    check((tensor::abs(far) <= 1).all(), "position 1,000,000 has a row like any other: no limit");

    say("A common slip gives the sine to even positions and the cosine to odd ones. They belong to "
        "even and odd columns. The products of positions 0 and 2, and of 1 and 3, "
        "which are as far apart:");
    const Tensor misread = sines_of_even_positions(32, 16);  // [16, 32]
    const Tensor products = tensor::matmul(PE, tensor::transpose(PE));
    const Tensor misread_products = tensor::matmul(misread, tensor::transpose(misread));
    std::cout << "by columns " << fixed(products(0, 2)) << " and " << fixed(products(1, 3))
              << ", by positions " << fixed(misread_products(0, 2)) << " and "
              << fixed(misread_products(1, 3)) << "\n\n";
    check(std::fabs(static_cast<double>(products(0, 2) - products(1, 3))) < 1e-4,
          "by columns a product depends on the distance only");
    check(std::fabs(static_cast<double>(misread_products(0, 2) - misread_products(1, 3))) > 1,
          "by positions it does not");
    in_the_notes("002 writes of even and odd positions (002-9). 004 calls i an index into the "
                 "vector (004-8), and has the entries between 0 and 1 (004-7). Both add a learned "
                 "table in their code; 002's is new and random, not the one that comes with the "
                 "pretrained model (002-15).");

    say("Why waves? To go one position back is to turn each hand back by its fixed angle, a matrix "
        "R that is the same for all positions. So \"the one before\" is something that $W^Q$ and "
        "$W^K$ can learn:");
    const Tensor R = one_back(32);                                         // [32, 32]
    const Tensor turned = tensor::matmul(tensor::slice(PE, 0, 1, 16), R);  // [15, 32]
    const double off = tensor::max_difference(turned, tensor::slice(PE, 0, 0, 15));
    std::cout << "R, its first pairs =\n"
              << tensor::slice(tensor::slice(R, 0, 0, 4), 1, 0, 4) << "\n\n";
    check(off < 1e-6, "$PE[t]·R$ is $PE[t - 1]$ for all t, within 0.000001");
}

namespace {

// e to the power of 8·(PE[t - 1]·PE[j] - PE[t - 1]·PE[t - 1]), summed over the keys j at `count`
// distances from `first` on. It depends on the distance only.
double weight_sum(const SinusoidalPositions& waves, std::int64_t count, std::int64_t first) {
    const Tensor at_0 = row(waves.table(1), 0);                               // [d]
    const Tensor products = tensor::matmul(waves.table(count, first), at_0);  // [count]
    const Tensor numerators = tensor::exp(8 * (products - tensor::sum(at_0 * at_0)));
    return tensor::sum(numerators).item();
}

void print_weight(std::int64_t T, double weight) {
    tutorial::print_row(std::cout, std::to_string(T), {fixed(weight, 3)}, 9, 6);
}

// The last word's weight on the word before, in texts of T words.
double last_weight(std::int64_t T) {
    const SinusoidalPositions waves(16);
    double sum = weight_sum(waves, 2, 0);  // of the word before, at distance 0, and the next, at 1
    for (std::int64_t first = 1; first < T - 1; first += 10000) {
        sum += weight_sum(waves, std::min<std::int64_t>(10000, T - 1 - first), first);
    }
    return 1 / sum;
}

}  // namespace

void previous_token() {
    section("10.6 A head for the word before, by hand");
    say("With sinusoids a head that looks at the word before needs no training. Its queries are "
        "$8·PE·R$ and its keys PE, so the score of word t and key j is $8·PE[t - 1]·PE[j]$: "
        "largest where $j = t - 1$. Take $d = 16$; the least weight on the word before, over all "
        "words but the first, which has none:");
    tutorial::print_row(std::cout, "T", {"weight"}, 9, 6);
    bool all_sharp = true;
    std::vector<double> lengths, drawn;
    for (const std::int64_t T : {16, 128, 512}) {
        const Tensor PE = SinusoidalPositions(16).table(T);  // [T, 16]
        const Tensor query = tensor::matmul(PE, one_back(16));
        const Tensor scores = 8 * tensor::matmul(query, tensor::transpose(PE));  // [T, T]
        const Tensor weights = tensor::softmax(scores, -1);                      // [T, T]
        Scalar least = 1;
        for (std::int64_t t = 1; t < T; ++t) least = std::min(least, weights(t, t - 1));
        print_weight(T, least);
        lengths.push_back(static_cast<double>(T));
        drawn.push_back(static_cast<double>(least));
        all_sharp = all_sharp && least > 0.96;
    }
    std::cout << "\n";
    check(all_sharp, "above 0.96 in texts of up to 512 words");
    say("However long the text? Eight clocks are eight clocks: at some distance all hands stand "
        "nearly where they stood, and that key is taken for the one before. The weight of the last "
        "word on the one before it, in longer texts:");
    tutorial::print_row(std::cout, "T", {"weight"}, 9, 6);
    double weight = 0;
    std::vector<double> weights;
    for (const std::int64_t T : {5000, 200000, 1000000}) {
        weight = last_weight(T);
        print_weight(T, weight);
        weights.push_back(weight);
    }
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        tutorial::draw(tutorial::plot_svg(
            {.title = "Eight clocks come near each other again",
             .x = {.label = "words of the text", .logarithmic = true},
             .y = {.label = "weight on the word before", .covers = {0, 1}},
             .series = {{"least of all words", lengths, drawn},
                        {"of the last word", {5000, 200000, 1000000}, weights}}}));
    }
    check(weights[0] > 0.96 && weights[1] > 0.95, "above 0.95 up to 200,000 words");
    check(weights[2] < 0.9, "below 0.9 in a text of a million");
}
