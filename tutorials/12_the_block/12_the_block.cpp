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
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
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

void blocks(Random& random) {
    section("12.4 Two blocks: norm before, norm after");
    say("A block adds what attention and feed-forward find, f(x), to x: x + f(x). So x runs "
        "through all layers and each writes into it: the residual stream. The layer norm stands in "
        "one of two places. Post-LN, Vaswani et al. and BERT: $x ← norm(x + f(x))$. Pre-LN, GPT-2 "
        "and most since: $x ← x + f(norm(x))$. Each block does it twice, with f attention, then "
        "feed-forward, and a norm of its own for each. By hand, and nn's:");
    const Variable X(tensor::normal({5, 8}, random));
    for (const NormPlace norm : {NormPlace::after, NormPlace::before}) {
        const Block block(8, {.norm = norm, .num_heads = 2}, random);
        TransformerEncoderLayer layer(8, 2, 32, random,
                                      {.norm = norm, .activation = Activation::gelu});
        layer.self_attn = block.attention;
        layer.feed_forward = block.feed_forward;
        const Variable ours = block(X), nns = layer(X);
        const bool is_after = norm == NormPlace::after;
        if (!is_after) stop("12.4 a block", {{"ours", ours}, {"nns", nns}});
        std::cout << (is_after ? "norm after" : "\nnorm before") << ", the first word =\n"
                  << row(ours.value(), 0) << "\n\n";
        check(same(ours, nns), "nn's block has the same bits");
    }
    say("If f adds zeros, a pre-LN block passes x on untouched, to the last bit. A post-LN block "
        "cannot, since it ends in a norm:");
    Block empty(8, {.num_heads = 2}, random);
    for (Parameter* last : {&empty.attention.W_O.weight, &empty.attention.W_O.bias,
                            &empty.feed_forward.W_2.weight, &empty.feed_forward.W_2.bias}) {
        init::zeros(*last);
    }
    check(same(empty(X), X), "norm before, with zeros added, returns x itself");
    empty.parts.norm = NormPlace::after;
    check(!same(empty(X), X), "norm after does not");
    in_the_notes("004's block is post-LN, with ReLU; it is called with heads= and defined with "
                 "n_heads (004-11). 002's is pre-LN, with GELU, though it calls it the original "
                 "(002-14), and a decoder where, without a mask, it is an encoder (002-4). 003 "
                 "speaks of information that is added: the residual stream.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 12: the block. Attention, feed-forward, residual connections, layer norms and "
        "dropout: what is each for, and which of them do twelve layers need?");
    feed_forward(random);     // 12.1, by_hand.cpp
    layer_norm(random);       // 12.2
    dropout(random);          // 12.3
    blocks(random);           // 12.4
    before_training(random);  // 12.5, depth.cpp
    Seeds seeds;
    for (std::uint64_t& seed : seeds) seed = random.next();
    const tutorial::Several both = four_ways(seeds);  // 12.6, trained.cpp
    before_and_after(both, seeds);                    // 12.7
    one_part_less(seeds);                             // 12.8, ablation.cpp
    in_pytorch(random);                               // 12.9, pytorch.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "12_the_block",
                          .subject = "The transformer block, and what each part of it buys.",
                          .trains = true},
                         argc, argv, lesson);
}
