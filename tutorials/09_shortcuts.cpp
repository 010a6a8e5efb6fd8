// Lesson 09, second part: what the shortcuts in the notes lose, and why a comparison with all
// weights set to one does not reveal it. Sections 09.3 to 09.6; 09.7 is in 09_note_004.cpp.
#include "heed/autograd/ops.h"
#include "heed/nn/attention/head_axes.h"
#include "heed/nn/attention/multi_head_attention.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/09_heads.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/sentence.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::difference;
using tutorial::print_row;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;

// Mistakes that are easily made when coding this.
enum class Slip { none, keys, exchanged, every_hth, one_head, W_O, split, merge };

// [B, T, h·d] -> [B, h, T, d]
Variable split_with_slip(const Variable& x, std::int64_t h, Slip slip) {
    const std::int64_t B = x.dim(0), T = x.dim(1), d = x.dim(2) / h;
    if (slip == Slip::split) return view(x, {B, h, T, d});
    if (slip == Slip::every_hth) return permute(view(x, {B, T, d, h}), {0, 3, 1, 2});
    return into_heads(x, h);
}

Variable with_slip(const Variable& X, const Weights& P, Slip slip) {
    const std::int64_t B = X.dim(0), T = X.dim(1), h = P.h(), d = P.d_head();
    const Variable W_K = slip == Slip::keys ? P.W_Q : P.W_K;
    Variable Q = split_with_slip(project_at_once(X, P.W_Q, P.b_Q), h, slip);  // [B, h, T, d]
    Variable K = split_with_slip(project_at_once(X, W_K, P.b_K), h, slip);    // [B, h, T, d]
    Variable V = split_with_slip(project_at_once(X, P.W_V, P.b_V), h, slip);  // [B, h, T, d]
    if (slip == Slip::one_head) K = slice(K, 1, 0, 1);                        // [B, 1, T, d]
    if (slip == Slip::one_head) V = slice(V, 1, 0, 1);                        // [B, 1, T, d]
    if (slip == Slip::exchanged) std::swap(Q, K);
    const Variable heads = matmul(causal_weights(scaled_scores(Q, K)), V);  // [B, h, T, d]
    const Variable concat = slip == Slip::merge ? reshape(heads, {B, T, h * d}) : merge(heads);
    Variable W_O = flatten(P.W_O, 0, 1);  // [h·d, d_model]
    if (slip == Slip::W_O) W_O = transpose(view(P.W_O, {P.d_model(), h * d}));
    const Variable output = matmul(concat, W_O) + P.b_O;  // [B, T, d_model]
    return output;
}

Weights ones(const Weights& like) {
    const Variable W(tensor::ones(like.W_Q.shape())), W_O(tensor::ones(like.W_O.shape()));
    const Variable b(tensor::zeros(like.b_Q.shape())), b_O(tensor::zeros(like.b_O.shape()));
    return Weights{W, W, W, W_O, b, b, b, b_O};
}

void ones_hide_mistakes(const Variable& X, const Weights& P) {
    section("09.3 Weights of ones hide mistakes");
    say("Note 003 lets you write the layer and compares it with its own, both with weights of "
        "ones and biases of zeros (erratum 003-3). Here are seven slips under that comparison, "
        "torch.allclose with its default tolerances, with ones and with random parameters.");
    const std::pair<Slip, const char*> slips[] = {
        {Slip::keys, "keys made with W^Q"},
        {Slip::exchanged, "Q and K exchanged in the scores"},
        {Slip::every_hth, "a head is every h-th column"},
        {Slip::one_head, "keys and values of head 0 for all"},
        {Slip::W_O, "W^O read as [out, in]"},
        {Slip::split, "heads cut by view alone"},
        {Slip::merge, "heads merged without transpose"}};
    const Weights P_ones = ones(P);
    const Stages with_ones = one_projection(X, P_ones);
    const Stages with_random = one_projection(X, P);
    print_row(std::cout, "largest difference", {"ones", "", "random", ""}, 34, 8);
    int passed_ones = 0, passed = 0;
    double smallest = infinity;
    for (const auto& [slip, what] : slips) {
        const Variable of_ones = with_slip(X, P_ones, slip);
        const Variable of_random = with_slip(X, P, slip);
        const double apart_ones = difference(of_ones, with_ones.output);
        const double apart = difference(of_random, with_random.output);
        const bool ones_pass = tensor::all_close(of_ones.value(), with_ones.output.value());
        const bool pass = tensor::all_close(of_random.value(), with_random.output.value());
        print_row(std::cout, what,
                  {fixed(apart_ones), ones_pass ? "passes" : "fails", fixed(apart),
                   pass ? "passes" : "fails"},
                  34, 8);
        passed_ones += ones_pass;
        passed += pass;
        smallest = std::min(smallest, apart);
    }
    std::cout << "\n";
    check(same(with_slip(X, P, Slip::none), with_random.output), "without a slip: the same bits");
    check(passed_ones == 5, "with ones five of the seven pass as right");
    check(passed == 0 && smallest > 1e-3, "with random parameters none does");

    say("With ones Q = K = V, and all their columns are the same number. Only what mixes up the "
        "positions is noticed.");
    check(same(select(with_ones.heads, 1, 0), select(with_ones.heads, 1, 1)),
          "with ones the heads are copies of each other");
}

void sizes(Random& random) {
    section("09.4 How large a head is");
    say("The usual size is d_model / h, so that all heads together cost what one large head would. "
        "Note 002's BERT has d_model 768 and 12 heads.");
    std::cout << "768 / 12 = " << 768 / 12 << " (002's comment says 54: erratum 002-3)\n\n";
    say("Note 000 takes num_heads = config.vocab_size where config.num_heads is meant (erratum "
        "000-7). With its default config, embed_dim 6 and vocab_size 10, its own assert stops it. "
        "nn says:");
    bool refused = false;
    try {
        MultiHeadAttention(6, 10, random);
    } catch (const std::invalid_argument& error) {
        refused = true;
        say(tutorial::first_line(error));
    }
    check(refused, "6 features cannot be cut into 10 heads");
}

// 004-5 and 002-11: each head gets only a slice of the input and its own small matrix W[n] [d, d].
Variable slice_then_project(const Variable& X, const Variable& W) {
    std::vector<Variable> parts;
    for (std::int64_t n = 0; n < W.dim(0); ++n) {
        const Variable X_n = slice(X, -1, n * W.dim(1), (n + 1) * W.dim(1));  // [T, d]
        parts.push_back(matmul(X_n, select(W, 0, n)));                        // [T, d]
    }
    return concatenate(parts, -1);  // [T, h·d]
}

// The outputs of the heads [h, T, d], before W^O.
Variable heads_of(const Variable& Q, const Variable& K, const Variable& V, std::int64_t h) {
    return scaled_dot_product_attention(split_heads(Q, h), split_heads(K, h), split_heads(V, h))
        .output;
}

void cut_the_projection(Random& random) {
    section("09.5 Cut the projection, not the input");
    say("Note 004's text advises to cut the input vector into chunks, one for each head (erratum "
        "004-5), and 002's says that a head sees a slice of each embedding (erratum 002-11). Their "
        "code does neither: it projects the whole vector. Done as the texts say, head n has a "
        "matrix of [d, d] for its slice. Put together these are one matrix of [d_model, d_model], "
        "which is what comes out for X = the unit matrix:");
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    Variable small[3], full[3];  // for Q, K, V
    for (int i = 0; i < 3; ++i) {
        small[i] = Variable(tensor::normal({h, d, d}, random));
        full[i] = Variable(tensor::normal({d_model, d_model}, random));
    }
    const Variable W = slice_then_project(Variable(tensor::eye(d_model)), small[0]);
    stop("09.5 one block for each head", {{"W", W}});
    std::cout << W.value() << "\n\n";
    const Variable X(tensor::normal({T, d_model}, random));  // [T, d_model]
    bool zeros_outside = true;
    for (std::int64_t i = 0; i < d_model * d_model; ++i) {
        const std::int64_t in = i / d_model, out = i % d_model;
        zeros_outside = zeros_outside && (in / d == out / d || W(in, out) == 0);
    }
    check(zeros_outside, "it is block-diagonal: a head's columns are 0 for other slices");
    check(tensor::all_close(matmul(X, W).value(), slice_then_project(X, small[0]).value(), 1e-5,
                            1e-5),
          "X times this matrix is what the slices give");

    say("So a slice is a special case of a projection, with " + std::to_string(h * d * d) +
        " numbers to learn in place of " + std::to_string(d_model * d_model) +
        ", and what it loses can be seen: change features 2 and 3 of every token, which are the "
        "slice of head 1.");
    const Tensor noise = tensor::normal({T, d}, random);
    const Variable moved(
        X.value() + tensor::concatenate({tensor::zeros({T, d}), noise, tensor::zeros({T, d})}, -1));
    Variable sliced[2], projected[2];
    for (int i = 0; i < 2; ++i) {
        const Variable& x = i == 0 ? X : moved;
        sliced[i] = heads_of(slice_then_project(x, small[0]), slice_then_project(x, small[1]),
                             slice_then_project(x, small[2]), h);
        projected[i] = heads_of(matmul(x, full[0]), matmul(x, full[1]), matmul(x, full[2]), h);
    }
    print_row(std::cout, "largest change", {"slice, then project", "project, then cut"}, 14, 20);
    bool only_one = true, all = true;
    for (std::int64_t n = 0; n < h; ++n) {
        const Variable before = select(sliced[0], 0, n), after = select(sliced[1], 0, n);
        const double change = difference(select(projected[0], 0, n), select(projected[1], 0, n));
        print_row(std::cout, text("head ", n), {fixed(difference(before, after)), fixed(change)},
                  14, 20);
        only_one = only_one && same(before, after) == (n != 1);
        all = all && change > 1e-3;
    }
    std::cout << "\n";
    check(only_one, "sliced: heads 0 and 2 do not change in a single bit");
    check(all, "projected: every head sees every feature");
}

// Note 001's mha with its projections commented out, as in the note, but with the softmax replaced
// by a correct one. It takes a mask and ignores it.
Attention mha_of_001(const Variable& X, std::int64_t num_heads,
                     const std::optional<Mask>& = std::nullopt) {
    const Variable parts = into_heads(X, num_heads);                            // [B, h, T, d]
    const Attention heads = scaled_dot_product_attention(parts, parts, parts);  // [B, h, T, d]
    return Attention{merge(heads.output), heads.weights};
}

void a_mask_that_is_ignored(Random& random) {
    section("09.6 Note 001: three heads, and a mask that is ignored");
    const tutorial::WordVectors& vectors = tutorial::compiled_in_word_vectors();
    const tutorial::KnownWords known =
        tutorial::known_words({"I", "drink", "coke,", "but", "eat", "steak"}, vectors);
    std::cout << "I drink coke, but eat steak\n";
    tutorial::print_unknown(std::cout, known, "unknown: ");
    const Tensor X = tutorial::vectors_of(known, vectors);  // [T, D]
    const std::int64_t T = X.dim(0), D = X.dim(1), d_model = D / 3 * 3;
    const double spread = 1 / std::sqrt(static_cast<double>(D));
    const Tensor to_d_model = tensor::normal({D, d_model}, random, 0, spread);  // [D, d_model]
    const Variable E(tensor::unsqueeze(tensor::matmul(X, to_d_model), 0));      // [1, T, d_model]
    say("001's vectors had 300 = 3·100 numbers. These have " + std::to_string(D) +
        ", so a random matrix, drawn from the seed, projects them to " + std::to_string(d_model) +
        " = 3·" + std::to_string(d_model / 3) + ".");
    const Attention heads = mha_of_001(E, 3);
    std::cout << "X " << E.shape() << ", weights " << heads.weights.shape() << "\n\n";
    check(heads.weights.shape() == Shape{1, 3, T, T}, "a matrix of weights for each head");

    say("Its projections are commented out, so each head sees a slice of the embedding, as in "
        "09.5, and the mask it accepts is never read (erratum 001-11). Its softmax too is another "
        "(erratum 001-1, lesson 05); here it has the right one. Ask for a causal mask:");
    const Mask causal = Mask::causal(T);
    const Attention asked = mha_of_001(E, 3, causal);
    const Variable parts = into_heads(E, 3);  // [1, h, T, d]
    const Attention masked = scaled_dot_product_attention(parts, parts, parts, causal);
    const Tensor its = row(row(asked.weights.value(), 0), 0);    // [T, T]
    const Tensor ours = row(row(masked.weights.value(), 0), 0);  // [T, T]
    stop("09.6 a mask that is ignored", {{"its", its}, {"ours", ours}});
    std::cout << "001's mha, head 0, mask given\n";
    tutorial::print_heat_map(std::cout, known.words, known.words, its);
    std::cout << "scaled_dot_product_attention, head 0, the same mask\n";
    tutorial::print_heat_map(std::cout, known.words, known.words, ours, causal);
    const Tensor future = tensor::triu(masked.weights.value(), 1);
    check(same(asked.weights, heads.weights),
          "001's weights are those without a mask, bit for bit");
    check((future == 0).all() && !same(masked.weights, heads.weights),
          "ours are exactly 0 for the future");

    say("At its end stand a squeeze() and a product with a random vector. squeeze drops every axis "
        "of length 1, so a batch of one too, and the vector leaves one number of each word. W^O is "
        "a matrix of (d_model, d_model) (erratum 001-7).");
    const Variable vector(tensor::uniform({d_model}, random));        // [d_model]
    const Variable W_O(tensor::uniform({d_model, d_model}, random));  // [d_model, d_model]
    const Variable of_001 = matmul(squeeze(heads.output), vector);    // [T]
    const Variable right = matmul(heads.output, W_O);                 // [1, T, d_model]
    std::cout << "001's output " << of_001.shape() << ", with a matrix " << right.shape() << "\n\n";
    check(right.shape() == E.shape() && of_001.rank() == 1,
          "only with a matrix the output has the shape of X");
}

void shortcuts(const Variable& X, const Weights& P, Random& random) {
    ones_hide_mistakes(X, P);
    sizes(random);
    cut_the_projection(random);
    a_mask_that_is_ignored(random);
    lines_of_004(random);
}
