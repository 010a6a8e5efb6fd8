// Lesson 12: twelve blocks on top of each other: the residual stream (12.3) and the gradient
// (12.4).
#include "tutorials/12_the_block/parts.h"

#include "autograd/ops.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

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

const std::vector<Variant> variants = {{"neither", {.residual = false, .layer_norm = false}},
                                       {"residual only", {.layer_norm = false}},
                                       {"norm after", {.norm = NormPlace::after}},
                                       {"norm before", {.norm = NormPlace::before}}};

struct Stream {
    std::vector<double> norms;      // of x after each layer, mean over positions
    std::vector<double> gradients;  // of the loss for each layer's W_1
};

double norm_of(const Tensor& x) {
    return std::sqrt(static_cast<double>(tensor::sum(x * x).item()));
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

void through_depth(Random& random) {
    section("12.3 Twelve layers: the residual stream");
    say("Twelve blocks on top of each other, just initialised. The norm of x, per position, "
        "after so many layers:");
    const Tensor X = tensor::normal({16, d}, random), target = tensor::normal({16, d}, random);
    std::vector<Stream> streams;
    for (const Variant& variant : variants) {
        streams.push_back(stream_of(variant.parts, X, target, random));
    }
    print_layers("norm after layer", streams, &Stream::norms);
    const Tensor at_end = tensor::of({streams[2].norms.back(), streams[3].norms.back()});
    stop("12.3 the residual stream", {{"at_end", at_end}});
    const Stream &neither = streams[0], &after = streams[2], &before = streams[3];
    check(std::fabs(after.norms.back() - std::sqrt(double(d))) < 0.1,
          "norm after: always √d, about 5.66");
    check(before.norms.back() > before.norms.front(),
          "norm before: it grows, since every layer adds and none shrinks");
    say("That is why a pre-LN stack needs one more norm, after its last block.");
    in_the_notes("002's stack has no such norm (002-6).");

    section("12.4 Twelve layers: the gradient");
    say("The norm of the loss's gradient for W_1 of the first, fourth, eighth and twelfth "
        "layer:");
    print_layers("gradient at layer", streams, &Stream::gradients);
    const Tensor of_first = tensor::of({neither.gradients[0], before.gradients[0]});
    const Tensor of_last = tensor::of({neither.gradients[11], before.gradients[11]});
    stop("12.4 gradients", {{"of_first", of_first}, {"of_last", of_last}});
    check(neither.gradients[0] < neither.gradients[11] / 1000,
          "with neither, hardly anything reaches the first layer");
    check(before.gradients[0] > before.gradients[11] / 10 &&
              after.gradients[0] > after.gradients[11] / 10,
          "with both, all layers receive about as much");
}
