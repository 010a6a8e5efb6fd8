// 12 The block: attention, feed-forward, residual connections and layer norms, put together by hand
// as notes 002 and 004 do, and what each part buys.
#include "autograd/ops.h"
#include "nn/init.h"
#include "nn/transformer/transformer_layers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/12_the_block/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
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
        "(002-7). For 002 a layer norm's output has mean 0 and variance 1; that "
        "is so before its learned scale and shift (002-18). 004's block is called with heads= and "
        "defined with n_heads (004-11). 003 speaks of information that is added: the residual "
        "stream.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 12: the block. What do residual connections, layer norms and feed-forward each "
        "buy?");
    each_by_itself(random);  // 12.1
    blocks(random);          // 12.2
    through_depth(random);   // 12.3 and 12.4, depth.cpp
    ablation(random);        // 12.5, ablation.cpp
    in_pytorch(random);      // 12.6, pytorch.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "12_the_block",
                          .subject = "The transformer block, and what each part of it buys.",
                          .trains = true},
                         argc, argv, lesson);
}
