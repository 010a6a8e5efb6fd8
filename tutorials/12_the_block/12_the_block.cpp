// 12 The block: attention, feed-forward, residual connections and layer norms, put together by hand
// as notes 002 and 004 do, and what each part buys. The training is in 12_ablation.cpp,
// PyTorch's block in 12_pytorch.cpp.
#include "autograd/ops.h"
#include "nn/init.h"
#include "nn/transformer/encoder_layer.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/12_the_block/block.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <cmath>
#include <cstdio>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_row;
using tutorial::row;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;

Block::Block(std::int64_t d, const Parts& its_parts, Random& random)
    : parts(its_parts), attention(d, parts.num_heads, random,
                                  {.scale = parts.root_of_d_k ? std::optional<double>() : 1.0}),
      feed_forward(d, 4 * d, random, {.activation = Activation::gelu}), norm1(d), norm2(d) {}

Variable Block::operator()(const Variable& X, const std::optional<Mask>& mask) const {
    const auto normed = [&](const LayerNorm& norm, const Variable& x) {
        return parts.layer_norm ? norm(x) : x;
    };
    const auto added = [&](const Variable& x, const Variable& more) {
        return parts.residual ? x + more : more;
    };
    Variable x = X;  // [..., T, d]
    if (parts.norm == NormPlace::before) {
        x = added(x, attention(normed(norm1, x), mask));
        if (parts.feed_forward) x = added(x, feed_forward(normed(norm2, x)));
    } else {
        x = normed(norm1, added(x, attention(x, mask)));
        if (parts.feed_forward) x = normed(norm2, added(x, feed_forward(x)));
    }
    return x;
}

void Block::members(MemberVisitor& visit) {
    visit("attention", attention);
    visit("feed_forward", feed_forward);
    visit("norm1", norm1);
    visit("norm2", norm2);
}

// X with row j replaced.
Variable with_row(const Variable& X, std::int64_t j, Random& random) {
    Tensor changed = tensor::clone(X.value());
    Tensor one = tensor::slice(changed, 0, j, j + 1);
    tensor::overwrite(one, tensor::normal({1, X.dim(1)}, random));
    return Variable(changed);
}

void each_by_itself(Random& random) {
    section("12.1 Feed-forward: each position by itself");
    say("FFN(x) = gelu(x·W_1 + b_1)·W_2 + b_2, four times as wide in the middle (Vaswani et al., "
        "equation 2, with ReLU; BERT and GPT with GELU). By hand:");
    const FeedForward layer(6, 24, random, {.activation = Activation::gelu});
    const Variable X(tensor::normal({5, 6}, random));  // [T, d]
    const Variable hidden =
        gelu(matmul(X, transpose(layer.W_1.weight)) + layer.W_1.bias);                // [5, 24]
    const Variable y = matmul(hidden, transpose(layer.W_2.weight)) + layer.W_2.bias;  // [5, 6]
    stop("12.1 feed-forward", {{"X", X}, {"hidden", hidden}, {"y", y}});
    std::cout << "y =\n" << y.value() << "\n\n";
    check(tensor::all_close(y.value(), layer(X).value(), 1e-5, 1e-6), "nn's layer gives the same");

    say("Now the vector of word 3 changes. How many of the five outputs change, of feed-forward, "
        "and of attention?");
    const MultiHeadAttention attention(6, 2, random);
    const Variable changed = with_row(X, 3, random);
    const std::int64_t by_feed_forward = rows_that_differ(layer(changed).value(), layer(X).value());
    const std::int64_t by_attention =
        rows_that_differ(attention(changed).value(), attention(X).value());
    tutorial::predict_number("How many outputs of feed-forward change?",
                             static_cast<double>(by_feed_forward), 0,
                             "It sees one position at a time.");
    std::cout << "feed-forward " << by_feed_forward << ", attention " << by_attention << "\n\n";
    check(by_feed_forward == 1 && by_attention == 5,
          "feed-forward: the word's own, the others keep every bit; attention: all of them");
    say("So attention moves information between positions, and feed-forward works on it where it "
        "is.");
}

void blocks(Random& random) {
    section("12.2 Two blocks: norm before, norm after");
    say("x + f(x): what attention and feed-forward find is added to x, which runs through all "
        "layers as the residual stream. The layer norm stands in one of two places. Vaswani et "
        "al., and BERT: norm(x + f(x)), post-LN. GPT-2 and most since: x + f(norm(x)), pre-LN. By "
        "hand, and nn's:");
    const Variable X(tensor::normal({5, 8}, random));
    for (const NormPlace norm : {NormPlace::after, NormPlace::before}) {
        const Block block(8, {.norm = norm, .num_heads = 2}, random);
        TransformerEncoderLayer layer(8, 2, 32, random,
                                      {.norm = norm, .activation = Activation::gelu});
        layer.self_attn = block.attention;
        layer.feed_forward = block.feed_forward;
        const Variable ours = block(X), nns = layer(X);
        const bool is_after = norm == NormPlace::after;
        if (!is_after) stop("12.2 a block", {{"ours", ours}, {"nns", nns}});
        std::cout << (is_after ? "norm after" : "\nnorm before") << ", the first word =\n"
                  << row(ours.value(), 0) << "\n\n";
        check(same(ours, nns), "nn's has the same bits");
    }
    say("With nothing to add, a pre-LN block passes x on untouched, to the last bit; a post-LN "
        "block cannot, for it ends in a norm:");
    Block empty(8, {.num_heads = 2}, random);
    for (Parameter* last : {&empty.attention.W_O.weight, &empty.attention.W_O.bias,
                            &empty.feed_forward.W_2.weight, &empty.feed_forward.W_2.bias}) {
        init::zeros(*last);
    }
    check(same(empty(X), X), "norm before, adding zeros: x itself");
    empty.parts.norm = NormPlace::after;
    check(!same(empty(X), X), "norm after: not");
    in_the_notes(
        "004's block is post-LN, with ReLU. 002's is pre-LN, with GELU, though it calls it "
        "the original (002-14), and a decoder where, without a mask, it is an encoder "
        "(002-4). 002's dropout in the embeddings is 0.5, whatever the configuration says "
        "(002-7). 003 speaks of information that is added: the residual stream.");
}

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

std::string two_digits(double x) {
    char said[32];
    std::snprintf(said, sizeof said, "%.1e", x);
    return said;
}

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

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 12: the block. What do residual connections, layer norms and feed-forward each "
        "buy?");
    each_by_itself(random);
    blocks(random);
    through_depth(random);
    ablation(random);
    in_pytorch(random);
}

int main(int argc, char** argv) {
    return tutorial::run({"12_the_block", "The transformer block, and what each part of it buys."},
                         argc, argv, lesson);
}
