// Lesson 12: twelve new blocks on top of each other: the residual stream, how alike the positions
// become, and the gradient (12.5).
#include "tutorials/12_the_block/parts.h"

#include "autograd/ops.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

const std::int64_t depth = 12;
const std::int64_t d = 32;

struct Variant {
    const char* name;
    Parts parts;
};

const std::vector<Variant> variants = {
    {"neither", {.residual = false, .layer_norm = false}},
    {"norms only", {.norm = NormPlace::after, .residual = false}},
    {"residual only", {.layer_norm = false}},
    {"norm after", {.norm = NormPlace::after}},
    {"norm before", {.norm = NormPlace::before}}};

struct Stream {
    std::vector<double> norms;      // of x after each layer, the root of its mean square
    std::vector<double> cosines;    // of two positions after each layer, the mean over all pairs
    std::vector<double> gradients;  // of the loss for each layer's W_1
};

double norm_of(const Tensor& x) {
    return std::sqrt(static_cast<double>(tensor::sum(x * x).item()));
}

// The mean over all pairs of different rows.
double mean_cosine(const Tensor& x) {
    const double T = static_cast<double>(x.dim(0));
    const double all = tensor::sum(tutorial::cosines_of(x)).item();
    return (all - T) / (T * (T - 1));
}

Stream stream_of(const Parts& parts, const Tensor& X, const Tensor& target, Random& random) {
    std::vector<Block> stack;
    for (std::int64_t i = 0; i < depth; ++i) stack.emplace_back(d, parts, random);
    Stream stream;
    Variable x(X);  // [T, d]
    for (const Block& block : stack) {
        x = block(x);
        const double rows = static_cast<double>(X.dim(0));
        stream.norms.push_back(norm_of(x.value()) / std::sqrt(rows));
        stream.cosines.push_back(mean_cosine(x.value()));
    }
    mean((x - Variable(target)) * (x - Variable(target))).backward();
    for (const Block& block : stack) {
        stream.gradients.push_back(norm_of(block.feed_forward.W_1.weight.grad()));
    }
    return stream;
}

std::string two_digits(double x) { return text(std::scientific, std::setprecision(1), x); }

void print_layers(const std::string& what, const std::vector<Stream>& streams,
                  const std::vector<double> Stream::*numbers) {
    print_row(std::cout, what, {"1", "4", "8", "12"}, 20, 8);
    for (std::size_t i = 0; i < streams.size(); ++i) {
        std::vector<std::string> cells;
        for (const std::size_t layer : {0, 3, 7, 11}) {
            const double number = (streams[i].*numbers)[layer];
            cells.push_back(number < 0.001 ? two_digits(number) : fixed(number, 3));
        }
        print_row(std::cout, variants[i].name, cells, 20, 8);
    }
    std::cout << "\n";
}

// Of all layers.
void draw_layers(const std::string& title, const std::string& what, bool logarithmic,
                 const std::vector<Stream>& streams, const std::vector<double> Stream::*numbers) {
    if (!tutorial::page_is_written()) return;
    std::vector<double> layers;
    for (std::int64_t layer = 1; layer <= depth; ++layer) layers.push_back(double(layer));
    tutorial::Plot plot{.title = title,
                        .x = {.label = "layer", .ticks = layers},
                        .y = {.label = what, .logarithmic = logarithmic}};
    for (std::size_t i = 0; i < streams.size(); ++i) {
        plot.series.push_back({variants[i].name, layers, streams[i].*numbers});
    }
    tutorial::draw(tutorial::plot_svg(plot));
}

void before_training(Random& random) {
    section("12.5 Twelve layers, before training");
    say("Twelve new blocks on top of each other, with norms and residual connections or without. "
        "First the norm of x per position, $‖x‖$, after so many layers:");
    const Tensor X = tensor::normal({16, d}, random), target = tensor::normal({16, d}, random);
    std::vector<Stream> streams;
    for (const Variant& variant : variants) {
        streams.push_back(stream_of(variant.parts, X, target, random));
    }
    const Stream &neither = streams[0], &norms = streams[1], &residual = streams[2],
                 &after = streams[3], &before = streams[4];
    print_layers("‖x‖ after layer", streams, &Stream::norms);
    const Tensor at_end = tensor::of({after.norms.back(), before.norms.back()});
    stop("12.5 the residual stream", {{"at_end", at_end}});
    check(std::fabs(after.norms.back() - std::sqrt(double(d))) < 0.1 &&
              std::fabs(norms.norms.back() - std::sqrt(double(d))) < 0.1,
          "after a norm $‖x‖$ is $√d$, about 5.66, at every layer");
    check(before.norms.back() > before.norms.front() &&
              residual.norms.back() > residual.norms.front(),
          "where each layer adds to the stream and no norm stands on it, $‖x‖$ grows");
    check(neither.norms.back() < 1, "with neither, less than a fifth of $‖x‖$ is left");
    say("That is why a pre-LN stack needs one more norm, after its last block. Now the "
        "directions: the mean cosine between two of the 16 positions, which began as random "
        "vectors, so near 0:");
    print_layers("cosine after layer", streams, &Stream::cosines);
    draw_layers("How alike the positions become", "mean cosine of two positions", false, streams,
                &Stream::cosines);
    check(neither.cosines.back() > 0.99 && norms.cosines.back() > 0.99,
          "without a residual connection all positions become the same vector, norms or not");
    check(residual.cosines.back() < 0.95 && after.cosines.back() < 0.95 &&
              before.cosines.back() < 0.95,
          "with it they remain different");
    say("Attention averages, and an average of averages forgets whose it is (Dong et al. 2021). "
        "With x + f(x) each position keeps its own vector. And the gradient: the norm of the "
        "loss's gradient for $W_1$ of the first, fourth, eighth and twelfth layer, $‖∂L/∂W_1‖$:");
    print_layers("gradient at layer", streams, &Stream::gradients);
    draw_layers("What reaches each layer", "‖∂L/∂W_1‖", true, streams, &Stream::gradients);
    const Tensor of_first = tensor::of({neither.gradients[0], before.gradients[0]});
    const Tensor of_last = tensor::of({neither.gradients[11], before.gradients[11]});
    stop("12.5 gradients", {{"of_first", of_first}, {"of_last", of_last}});
    check(neither.gradients[0] < neither.gradients[11] / 1000,
          "with neither, hardly anything reaches the first layer");
    bool reaches_all = true;
    for (const Stream* stream : {&residual, &after, &before}) {
        reaches_all = reaches_all && stream->gradients[0] > stream->gradients[11] / 10;
    }
    check(norms.gradients[0] > norms.gradients[11] / 1000,
          "norms alone bring it there, but from positions that are all alike");
    check(reaches_all, "with a residual connection, all layers receive about as much");
    in_the_notes("002's pre-LN stack has no norm after its last block (002-6).");
}
