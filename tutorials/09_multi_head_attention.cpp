// 09 Multi-head attention: several attentions side by side, built in three ways that give the same
// numbers, and the ways of building it that do not.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/attention_record.h"
#include "nn/head_axes.h"
#include "nn/multi_head_forms.h"
#include "nn/token_embedding.h"
#include "nn/tokenizer.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/display.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/sentence.h"
#include "tutorials/support/word_vectors.h"

#include <cmath>
#include <iostream>
#include <map>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

bool same(const Variable& a, const Variable& b) { return tensor::same_bits(a.value(), b.value()); }

double difference(const Variable& a, const Variable& b) {
    return tensor::max_difference(a.value(), b.value());
}

// Whole numbers that say where they stand: entry (t, c) is 100·t + c.
Variable numbered(std::int64_t T, std::int64_t columns) {
    const Tensor t = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);  // [T, 1]
    const Tensor c = tensor::arange(static_cast<double>(columns));                  // [columns]
    return Variable(100 * t + c);
}

void print_row(const std::string& label, const std::vector<std::string>& cells,
               std::size_t label_width, std::size_t width) {
    std::string line = label + std::string(label_width - tutorial::display_width(label), ' ');
    for (const std::string& cell : cells) {
        line += "  " + cell + std::string(width - tutorial::display_width(cell), ' ');
    }
    std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
}

// The parameters as note 003 has them.
struct Weights {
    Variable W_Q, W_K, W_V;  // [h, d_model, d_head]
    Variable W_O;            // [h, d_head, d_model]
    Variable b_Q, b_K, b_V;  // [h, d_head]
    Variable b_O;            // [d_model]

    std::int64_t h() const { return W_Q.dim(0); }
    std::int64_t d_model() const { return W_Q.dim(1); }
    std::int64_t d_head() const { return W_Q.dim(2); }
    double scale() const { return std::sqrt(static_cast<double>(d_head())); }
};

// What each of the three ways has at its stages.
struct Stages {
    Variable Q, scores, weights, heads, concat, output;
};

// Lesson 08: the future gets -∞, so its weights are 0.
Variable causal_weights(const Variable& scores) {
    const Mask mask = Mask::causal(scores.dim(-2), scores.dim(-1));        // [T, T]
    const Variable past = masked_fill(scores, mask.blocked(), -infinity);  // [..., T, T]
    const Variable weights = softmax(past, -1);                            // [..., T, T]
    return weights;
}

// Notes 000 and 002: one head after the other. The stages are those of the last.
Stages list_of_heads(const Variable& X, const Weights& P) {
    Stages s;
    std::vector<Variable> outputs, weights;
    for (std::int64_t n = 0; n < P.h(); ++n) {
        s.Q = matmul(X, select(P.W_Q, 0, n)) + select(P.b_Q, 0, n);               // [B, T, d_head]
        const Variable K = matmul(X, select(P.W_K, 0, n)) + select(P.b_K, 0, n);  // [B, T, d_head]
        const Variable V = matmul(X, select(P.W_V, 0, n)) + select(P.b_V, 0, n);  // [B, T, d_head]
        s.scores = matmul(s.Q, transpose(K)) / P.scale();                         // [B, T, T]
        weights.push_back(causal_weights(s.scores));                              // [B, T, T]
        s.heads = matmul(weights.back(), V);                                      // [B, T, d_head]
        outputs.push_back(s.heads);
    }
    s.weights = stack(weights, 1);                              // [B, h, T, T]
    s.concat = concatenate(outputs, -1);                        // [B, T, h·d_head]
    s.output = matmul(s.concat, flatten(P.W_O, 0, 1)) + P.b_O;  // [B, T, d_model]
    return s;
}

// Note 003, with its names of axes.
Variable project(const Variable& X, const Variable& W, const Variable& b) {
    return einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", X, W) +
           b;
}

Stages by_einsum(const Variable& X, const Weights& P) {
    Stages s;
    s.Q = project(X, P.W_Q, P.b_Q);               // [B, T, h, d_head]
    const Variable K = project(X, P.W_K, P.b_K);  // [B, T, h, d_head]
    const Variable V = project(X, P.W_V, P.b_V);  // [B, T, h, d_head]
    const Variable products = einsum(
        "batch posn_Q nheads d_head, batch posn_K nheads d_head -> batch nheads posn_Q posn_K", s.Q,
        K);
    s.scores = products / P.scale();       // [B, h, T, T]
    s.weights = causal_weights(s.scores);  // [B, h, T, T]
    s.heads = einsum(
        "batch posn_K nheads d_head, batch nheads posn_Q posn_K -> batch posn_Q nheads d_head", V,
        s.weights);  // [B, T, h, d_head]
    const Variable summed =
        einsum("batch posn_Q nheads d_head, nheads d_head d_model -> batch posn_Q d_model", s.heads,
               P.W_O);
    s.output = summed + P.b_O;  // [B, T, d_model]
    return s;
}

// The heads' matrices beside each other: [h, d_model, d_head] -> [d_model, h·d_head]
Variable side_by_side(const Variable& W) {
    return reshape(permute(W, {1, 0, 2}), {W.dim(1), W.dim(0) * W.dim(2)});
}

// [B, T, h·d] -> [B, h, T, d]: see it as [B, T, h, d], then exchange the two axes in the middle.
Variable split(const Variable& x, std::int64_t h) {
    const Variable cut = view(x, {x.dim(0), x.dim(1), h, x.dim(2) / h});  // [B, T, h, d]
    return transpose(cut, 1, 2);
}

// [B, h, T, d] -> [B, T, h·d]: the way back. After the transpose no view will do: it copies.
Variable merge(const Variable& x) { return flatten(contiguous(transpose(x, 1, 2)), 2, 3); }

// Note 004 and PyTorch: one matrix for all heads, whose columns are then cut.
Stages one_projection(const Variable& X, const Weights& P) {
    Stages s;
    const Variable XW_Q = matmul(X, side_by_side(P.W_Q));       // [B, T, h·d_head]
    const Variable XW_K = matmul(X, side_by_side(P.W_K));       // [B, T, h·d_head]
    const Variable XW_V = matmul(X, side_by_side(P.W_V));       // [B, T, h·d_head]
    s.Q = split(XW_Q + flatten(P.b_Q), P.h());                  // [B, h, T, d_head]
    const Variable K = split(XW_K + flatten(P.b_K), P.h());     // [B, h, T, d_head]
    const Variable V = split(XW_V + flatten(P.b_V), P.h());     // [B, h, T, d_head]
    s.scores = matmul(s.Q, transpose(K)) / P.scale();           // [B, h, T, T]
    s.weights = causal_weights(s.scores);                       // [B, h, T, T]
    s.heads = matmul(s.weights, V);                             // [B, h, T, d_head]
    s.concat = merge(s.heads);                                  // [B, T, h·d_head]
    s.output = matmul(s.concat, flatten(P.W_O, 0, 1)) + P.b_O;  // [B, T, d_model]
    return s;
}

void print_stage(const std::string& name, std::int64_t copies, const Variable& list,
                 const Variable& einsum, const Variable& one) {
    const std::string times = copies > 1 ? std::to_string(copies) + " × " : "";
    const std::string summed = einsum.numel() == 0 ? "-" : einsum.shape().text();
    print_row(name, {times + list.shape().text(), summed, one.shape().text()}, 8, 19);
}

void three_ways(const Variable& X, const EinsumAttention& layer, const Weights& P) {
    section("09.1 Several heads, built three ways");
    say("One attention gives each word one weighted mean. Several give it several: "
        "head_n = softmax(Q_n·K_nᵀ / √d_head)·V_n with projections of its own, and "
        "MultiHead(X) = Concat(head_1, ..., head_h)·W^O. Notes 000 and 002 keep a list of heads, "
        "003 multiplies with named axes, 004 and PyTorch have one matrix for all heads and cut "
        "what comes out.");
    say("The numbers are those of note 003's check: 12 sequences of 20 tokens, d_model 30, and 2 "
        "heads of 10. A head need not have d_model / h = 15 features: W^O brings any h·d_head back "
        "to d_model.");
    const Stages list = list_of_heads(X, P);
    const Stages named = by_einsum(X, P);
    const Stages one = one_projection(X, P);
    print_row("", {"list of heads", "einsum", "one projection"}, 8, 19);
    print_stage("W^Q", P.h(), select(P.W_Q, 0, 0), P.W_Q, side_by_side(P.W_Q));
    print_stage("Q", P.h(), list.Q, named.Q, one.Q);
    print_stage("scores", P.h(), list.scores, named.scores, one.scores);
    print_stage("heads", P.h(), list.heads, named.heads, one.heads);
    print_stage("concat", 1, list.concat, named.concat, one.concat);
    print_stage("output", 1, list.output, named.output, one.output);
    std::cout << "\noutput, first sequence, first three tokens, first five numbers =\n"
              << slice(slice(select(list.output, 0, 0), 0, 0, 3), 1, 0, 5).value() << "\n\n";
    check(same(list.weights, named.weights) && same(list.weights, one.weights),
          text("the weights ", list.weights.shape(), " are the same bits all three ways"));
    check(same(list.output, named.output) && same(list.output, one.output),
          "so are the outputs: every sum is taken in the same order");

    say("nn has all three, and the way from the parameters of one to those of another.");
    const MultiHeadAttention as_one = as_one_projection(layer);
    const ListOfHeadsAttention as_list = as_list_of_heads(as_one);
    const Mask mask = Mask::causal(X.dim(1));
    std::cout << as_one << "\n\n";
    check(same(as_list(X, mask), list.output), "nn's ListOfHeadsAttention: the same bits");
    check(same(layer(X, mask), list.output), "nn's EinsumAttention: the same bits");
    check(same(as_one(X, mask), list.output), "nn's MultiHeadAttention: the same bits");
    check(same(as_einsum(as_one).W_Q, P.W_Q), "converted there and back, W_Q is what it was");
}

void view_then_transpose() {
    section("09.2 View, then transpose");
    say("X·W^Q is [T, h·d], and the heads are [h, T, d]. Both have as many numbers, so view would "
        "take [h, T, d] at once. To see what that does, each number says where it stands: "
        "100·token + column.");
    const std::int64_t T = 3, h = 2, d = 2;
    const Variable x = numbered(T, h * d);                       // [T, h·d]
    const Variable right = transpose(view(x, {T, h, d}), 0, 1);  // [h, T, d]
    const Variable wrong = view(x, {h, T, d});                   // [h, T, d]
    std::cout << "x =\n"
              << x.value() << "\nview(x, {T, h, d}), then transpose(0, 1) =\n"
              << right.value() << "\nview(x, {h, T, d}) =\n"
              << wrong.value() << "\n\n";
    say("View alone lets head 0 see token 0 twice, first its columns 0 and 1, then 2 and 3; head 1 "
        "begins with token 1. What is called a position is no longer one, and neither is a head.");
    std::int64_t right_rows = 0, wrong_rows = 0;
    for (std::int64_t n = 0; n < h; ++n) {
        for (std::int64_t t = 0; t < T; ++t) {
            const Scalar expected = static_cast<Scalar>(100 * t + n * d);
            right_rows += right(n, t, 0) == expected;
            wrong_rows += wrong(n, t, 0) == expected;
        }
    }
    check(right_rows == h * T, "view, then transpose: position t of head n is token t, and its "
                               "columns n·d to n·d + d - 1");
    check(wrong_rows == 2 && wrong(0, 1, 0) == 2 && wrong(1, 0, 0) == 102,
          "view alone: so in the first and the last row only");
    check(right.shape() == wrong.shape(), "the shapes tell nothing");
    check(right.value().shares_storage_with(x.value()), "cutting into heads copies nothing");

    say("The way back is the same backwards: transpose, then put together.");
    const Variable merged = flatten(contiguous(transpose(right, 0, 1)), 1, 2);  // [T, h·d]
    const Variable merged_wrong = reshape(right, {T, h * d});                   // [T, h·d]
    std::cout << "without the transpose, token 0 gets head 0 of two tokens:\n"
              << merged_wrong.value() << "\n\n";
    check(same(merged, x), "there and back, x is what it was");
    check(!same(merged_wrong, x), "without the transpose it is not");
    check(same(split_heads(x, h), right) && same(merge_heads(right), x),
          "nn's split_heads and merge_heads do the same");
}

// What one types when one does not look closely.
enum class Slip { none, keys, exchanged, every_hth, one_head, W_O, split, merge };

Variable with_slip(const Variable& X, const Weights& P, Slip slip) {
    const std::int64_t B = X.dim(0), T = X.dim(1), h = P.h(), d = P.d_head();
    const Variable bias[] = {flatten(P.b_Q), flatten(P.b_K), flatten(P.b_V)};
    const Variable W[] = {P.W_Q, slip == Slip::keys ? P.W_Q : P.W_K, P.W_V};
    std::vector<Variable> QKV;
    for (int i = 0; i < 3; ++i) {
        const Variable x = matmul(X, side_by_side(W[i])) + bias[i];  // [B, T, h·d]
        Variable heads = split(x, h);                                // [B, h, T, d]
        if (slip == Slip::every_hth) heads = permute(view(x, {B, T, d, h}), {0, 3, 1, 2});
        if (slip == Slip::split) heads = view(x, {B, h, T, d});
        if (slip == Slip::one_head && i > 0) heads = slice(heads, 1, 0, 1);  // [B, 1, T, d]
        QKV.push_back(heads);
    }
    if (slip == Slip::exchanged) std::swap(QKV[0], QKV[1]);
    const Variable scores = matmul(QKV[0], transpose(QKV[1])) / P.scale();  // [B, h, T, T]
    const Variable heads = matmul(causal_weights(scores), QKV[2]);          // [B, h, T, d]
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
    const char* const result[] = {"fails", "passes"};
    print_row("largest difference", {"ones", "", "random", ""}, 34, 8);
    int passed_ones = 0, passed = 0;
    double smallest = infinity;
    for (const auto& [slip, what] : slips) {
        const Variable of_ones = with_slip(X, P_ones, slip);
        const Variable of_random = with_slip(X, P, slip);
        const double apart_ones = difference(of_ones, with_ones.output);
        const double apart = difference(of_random, with_random.output);
        const bool ones_pass = tensor::all_close(of_ones.value(), with_ones.output.value());
        const bool pass = tensor::all_close(of_random.value(), with_random.output.value());
        print_row(what, {fixed(apart_ones), result[ones_pass], fixed(apart), result[pass]}, 34, 8);
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

// What an error says, without the line it came from.
std::string first_line(const std::exception& error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
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
        say(first_line(error));
    }
    check(refused, "6 features cannot be cut into 10 heads");
}

// 004-5 and 002-11: each head gets a slice of the input, and a small matrix W[n] [d, d] of its own.
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
        "matrix of [d, d] for its slice. Put together these are one "
        "matrix of [d_model, d_model], which is what comes out for X = the unit matrix:");
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    Variable small[3], full[3];  // for Q, K, V
    for (int i = 0; i < 3; ++i) {
        small[i] = Variable(tensor::normal({h, d, d}, random));
        full[i] = Variable(tensor::normal({d_model, d_model}, random));
    }
    const Variable W = slice_then_project(Variable(tensor::eye(d_model)), small[0]);
    std::cout << W.value() << "\n\n";
    const Variable X(tensor::normal({T, d_model}, random));  // [T, d_model]
    bool zeros_outside = true;
    for (std::int64_t i = 0; i < d_model * d_model; ++i) {
        const std::int64_t row = i / d_model, column = i % d_model;
        zeros_outside = zeros_outside && (row / d == column / d || W(row, column) == 0);
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
    print_row("largest change", {"slice, then project", "project, then cut"}, 14, 20);
    bool only_one = true, all = true;
    for (std::int64_t n = 0; n < h; ++n) {
        const Variable before = select(sliced[0], 0, n), after = select(sliced[1], 0, n);
        const double change = difference(select(projected[0], 0, n), select(projected[1], 0, n));
        print_row(text("head ", n), {fixed(difference(before, after)), fixed(change)}, 14, 20);
        only_one = only_one && same(before, after) == (n != 1);
        all = all && change > 1e-3;
    }
    std::cout << "\n";
    check(only_one, "sliced: heads 0 and 2 do not change in a single bit");
    check(all, "projected: every head sees every feature");
}

// Note 001's mha with its projections commented out, as they are there. Its softmax is replaced by
// the right one. It takes a mask, and does nothing with it.
Attention mha_of_001(std::int64_t num_heads, const Variable& Q, const Variable& K,
                     const Variable& V, const std::optional<Mask>& = std::nullopt) {
    const Variable q_heads = split(Q, num_heads);  // [B, h, T, d]
    const Variable k_heads = split(K, num_heads);  // [B, h, T, d]
    const Variable v_heads = split(V, num_heads);  // [B, h, T, d]
    const Attention heads = scaled_dot_product_attention(q_heads, k_heads, v_heads);
    return Attention{merge(heads.output), heads.weights};
}

void a_mask_that_is_ignored(Random& random) {
    section("09.6 Note 001: three heads, and a mask that is ignored");
    const tutorial::WordVectors& vectors = tutorial::compiled_in_word_vectors();
    const std::vector<std::string> sentence = {"I", "drink", "coke,", "but", "eat", "steak"};
    const tutorial::KnownWords known = tutorial::known_words(sentence, vectors);
    std::cout << "I drink coke, but eat steak\n";
    for (const std::string& word : known.unknown) std::cout << "unknown: " << word << "\n";
    const Tensor X = tutorial::vectors_of(known, vectors);  // [T, D]
    const std::int64_t T = X.dim(0), D = X.dim(1), d_model = D / 3 * 3;
    const double spread = 1 / std::sqrt(static_cast<double>(D));
    const Tensor to_d_model = tensor::normal({D, d_model}, random, 0, spread);  // [D, d_model]
    const Variable E(tensor::unsqueeze(tensor::matmul(X, to_d_model), 0));      // [1, T, d_model]
    std::cout << "\n";
    say("001's vectors had 300 = 3·100 numbers. These have " + std::to_string(D) +
        ", so a random matrix, drawn from the seed, projects them to " + std::to_string(d_model) +
        " = 3·" + std::to_string(d_model / 3) + ".");
    const Attention heads = mha_of_001(3, E, E, E);
    std::cout << "X " << E.shape() << ", weights " << heads.weights.shape() << "\n\n";
    check(heads.weights.shape() == Shape{1, 3, T, T}, "a matrix of weights for each head");

    say("Its projections are commented out, so each head sees a slice of the embedding, as in "
        "09.5, and the mask it accepts is never read (erratum 001-11). Its softmax too is another "
        "(erratum 001-1, lesson 05); here it has the right one. Ask for a causal mask:");
    const Mask causal = Mask::causal(T);
    const Attention asked = mha_of_001(3, E, E, E, causal);
    const Variable parts = split_heads(E, 3);  // [1, h, T, d]
    const Attention masked = scaled_dot_product_attention(parts, parts, parts, causal);
    const Tensor its = tensor::select(tensor::select(asked.weights.value(), 0, 0), 0, 0);
    const Tensor ours = tensor::select(tensor::select(masked.weights.value(), 0, 0), 0, 0);
    std::cout << "001's mha, head 0, mask given\n";
    tutorial::print_heat_map(std::cout, known.words, known.words, its);
    std::cout << "scaled_dot_product_attention, head 0, the same mask\n";
    tutorial::print_heat_map(std::cout, known.words, known.words, ours, causal);
    const Variable future = masked_fill(masked.weights, causal.allowed(), 0);
    check(same(asked.weights, heads.weights),
          "001's weights are those without a mask, bit for bit");
    check(same(future, Variable(tensor::zeros(future.shape()))) &&
              !same(masked.weights, heads.weights),
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

// q·kᵀ with queries and keys divided by the fourth root of `size` each: note 004's scale.
Variable fourth_root_scores(const Variable& Q, const Variable& K, std::int64_t size) {
    const double root = std::sqrt(std::sqrt(static_cast<double>(size)));
    const Variable scores = matmul(Q / root, transpose(K / root));
    return scores;
}

double scale_error(const MultiHeadAttention& layer, const Variable& X, std::int64_t size) {
    const Variable Q = split_heads(layer.W_Q(X), layer.num_heads);         // [b, h, t, d_head]
    const Variable K = split_heads(layer.W_K(X), layer.num_heads);         // [b, h, t, d_head]
    const Variable weights = softmax(fourth_root_scores(Q, K, size), -1);  // [b, h, t, t]
    return difference(weights, layer.with_weights(X).weights);
}

// x [b, t, h, k] -> [b·h, t, k], as 004 does it for its queries; the heads join the batch.
Variable fold(const Variable& x) { return flatten(contiguous(transpose(x, 1, 2)), 0, 1); }

// 004's lines for keys and values: the queries once more, folded already, transposed again.
Variable queries_again(const Variable& queries) {
    const Variable turned = contiguous(transpose(queries, 1, 2));  // [b·h, k, t]
    return view(turned, queries.shape());                          // [b·h, t, k]
}

void lines_of_004(Random& random) {
    section("09.7 Note 004, line by line");
    say("004's heads are wide: each has k = d_model features. It folds its queries right, (b, t, "
        "h, k) -> transpose(1, 2) -> (b·h, t, k). The next two lines read keys = queries... and "
        "values = queries..., each transposed again (erratum 004-2). view takes what lies there "
        "and calls it [b·h, t, k]:");
    const Variable x = unsqueeze(numbered(3, 4), 0);  // [1, 3, 4]
    std::cout << "queries =\n"
              << select(x, 0, 0).value() << "\nkeys = values =\n"
              << select(queries_again(x), 0, 0).value() << "\n\n";
    check(queries_again(x)(0, 0, 1) == 100 && queries_again(x)(0, 0, 2) == 200,
          "the key of token 0 holds numbers of tokens 1 and 2");

    const std::int64_t b = 2, t = 5, k = 16, h = 4;
    MultiHeadAttention wide(k, h, random, {.bias = false, .d_head = k});
    const Variable X(tensor::normal({b, t, k}, random));             // [b, t, k]
    const Variable queries = fold(view(wide.W_Q(X), {b, t, h, k}));  // [b·h, t, k]
    const Variable keys = fold(view(wide.W_K(X), {b, t, h, k}));     // [b·h, t, k]
    const Variable values = fold(view(wide.W_V(X), {b, t, h, k}));   // [b·h, t, k]
    const Variable again = queries_again(queries);                   // [b·h, t, k]
    const Variable weights = softmax(fourth_root_scores(queries, keys, k), -1);
    const Variable weights_004 = softmax(fourth_root_scores(queries, again, k), -1);
    const Variable heads = view(matmul(weights, values), {b, h, t, k});
    const Variable heads_004 = view(matmul(weights_004, again), {b, h, t, k});
    const Variable output = wide.W_O(merge(heads));          // [b, t, k]
    const Variable output_004 = wide.W_O(merge(heads_004));  // [b, t, k]
    output_004.backward({.upstream = tensor::normal(output.shape(), random)});
    const double apart = difference(output, wide(X)), apart_004 = difference(output_004, wide(X));
    std::cout << "\noutput " << output_004.shape() << ", largest difference from nn's layer\n"
              << "  with 004's lines     " << fixed(apart_004, 6) << "\n"
              << "  with keys from keys  " << fixed(apart, 6) << "\n\n";
    check(apart_004 > 0.05 && output_004.shape() == output.shape(),
          "004's lines run, give the right shape and other numbers");
    check(apart < 1e-5, "with keys from keys and values from values it is nn's layer");
    check(wide.W_Q.weight.has_grad() && !wide.W_K.weight.has_grad() && !wide.W_V.weight.has_grad(),
          "in 004's lines W^K and W^V are never used: they get no gradient and cannot learn");

    say("Then 004 divides queries and keys by k^(1/4) each, so that q·k is divided by √k. Right "
        "for "
        "wide heads, which have k features. Where d_model is cut into heads of k/h, the size that "
        "counts is the head's (erratum 004-3). Differences of the weights from nn's:");
    const MultiHeadAttention narrow(k, h, random, {.bias = false});
    print_row("", {"by k = d_model", "by the head's size"}, 14, 18);
    const double by_k = scale_error(narrow, X, k), by_head = scale_error(narrow, X, k / h);
    const double by_k_wide = scale_error(wide, X, k);
    print_row("4 heads of 16", {fixed(by_k_wide, 6), "the same"}, 14, 18);
    print_row("4 heads of 4", {fixed(by_k, 6), fixed(by_head, 6)}, 14, 18);
    std::cout << "\n";
    check(by_k_wide < 1e-5 && by_head < 1e-5, "the head's size is right for both");
    check(by_k > 1e-2, "k is wrong for heads that were cut");
    const Variable Q = split_heads(narrow.W_Q(X), h), K = split_heads(narrow.W_K(X), h);
    const Variable too_small = fourth_root_scores(Q, K, k);
    check(tensor::all_close((std::sqrt(4.0) * too_small).value(),
                            fourth_root_scores(Q, K, k / h).value(), 1e-4, 1e-5),
          "their scores come out too small, by √h = 2");
}

void what_a_head_sees(Random& random) {
    section("09.8 What each head sees");
    say("Head n has its own columns of W^Q, W^K and W^V, and nobody else has them. So the weights "
        "of "
        "one head have no gradient at all for the columns of another; the heads first meet in "
        "W^O. Largest |∂L/∂W^Q| by columns, L a random mix of one head's weights, or of the "
        "output:");
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    const MultiHeadAttention layer(d_model, h, random);
    const Variable X(tensor::normal({T, d_model}, random));        // [T, d_model]
    const Tensor R = tensor::normal({T, T}, random);               // [T, T]
    const Tensor R_output = tensor::normal({T, d_model}, random);  // [T, d_model]
    bool as_said = true;
    print_row("", {"columns of head 0", "of head 1", "of head 2"}, 18, 17);
    for (std::int64_t n = 0; n <= h; ++n) {
        const Attention attention = layer.with_weights(X);
        const Variable y = n < h ? select(attention.weights, 0, n) : attention.output;
        const Tensor upstream = n < h ? R : R_output;
        const Variable G =  // PyTorch's layout: what are columns of W^Q here are rows
            grad(y, layer.W_Q.weight, {.upstream = Variable(upstream)});
        std::vector<std::string> cells;
        for (std::int64_t m = 0; m < h; ++m) {
            const Variable of_m = slice(G, 0, m * d, (m + 1) * d);  // [d, d_model]
            const double largest = tensor::max(abs(of_m).value()).item();
            cells.push_back(fixed(largest, 6));
            as_said = as_said && (largest > 0) == (m == n || n == h);
        }
        print_row(n < h ? text("weights of head ", n) : "output", cells, 18, 17);
    }
    std::cout << "\n";
    check(as_said,
          "a head's weights: exactly 0 for the columns of others, and not 0 for its own; the "
          "output: not 0 for any");
    say("Nothing says that keys and values come from the same words as queries. With a source of "
        "7 words for the 5 queries it is cross-attention, the same layer:");
    const Variable source(tensor::normal({7, d_model}, random));  // [T_k, d_model]
    const Attention cross = layer.with_weights(X, source);
    std::cout << "weights " << cross.weights.shape() << ", output " << cross.output.shape()
              << "\n\n";
    check(cross.weights.shape() == Shape{h, T, 7} && cross.output.shape() == X.shape(),
          "T_q and T_k may differ");
}

struct SmallModel : Module {
    SmallModel(std::int64_t vocab_size, std::int64_t T, Random& random)
        : embedding(vocab_size, T, 16, random), attention(16, 2, random) {}
    Variable operator()(const IndexTensor& ids) const { return attention(embedding(ids)); }
    void members(MemberVisitor& visit) override {
        visit("embedding", embedding);
        visit("attention", attention);
    }

    TokenAndPositionEmbedding embedding;
    MultiHeadAttention attention;
};

void pictures(Random& random) {
    section("09.9 A picture for each head");
    const std::string sentence = "The animal didn't cross the street because it was too tired";
    say("Note 004's sentence: " + sentence +
        ". Where would \"it\" look? A small model with token "
        "and position embeddings and an attention of 2 heads reads it, and a recording keeps "
        "what the layer called attention did.");
    const WordTokenizer tokenizer({sentence});
    const IndexTensor ids = tokenizer.encode(sentence);  // [T]
    const std::vector<std::string> words = tokenizer.words(sentence);
    const SmallModel model(tokenizer.size(), ids.numel(), random);
    RecordAttention recording(model);
    recording.set_tokens(words);
    const Variable output = model(ids);  // [T, d_model]
    const AttentionRecord& record = recording.at("attention");
    tutorial::print_heat_map(std::cout, record, {0});
    tutorial::print_heat_map(std::cout, record, {1});
    const Tensor head_0 = tensor::select(record.weights, 0, 0);
    const Tensor head_1 = tensor::select(record.weights, 0, 1);
    check(record.weights.shape() == Shape{2, ids.numel(), ids.numel()}, "a matrix for each head");
    check(tensor::max_difference(head_0, head_1) > 0.02,
          "the two heads do not weigh the words alike");

    const Scalar found_0 = head_0(7, 1), found_1 = head_1(7, 1);
    std::cout << "\nfrom \"it\" to \"animal\": " << fixed(found_0, 2) << " in head 0, "
              << fixed(found_1, 2) << " in head 1\n";
    say("They were drawn at random and nobody trained them, so these pictures mean nothing yet. "
        "Had \"it\" found its animal, that would be luck. In 20 more models \"it\" looks most at:");
    std::map<std::string, int> found;
    int to_animal = 0;
    for (int draw = 0; draw < 20; ++draw) {
        const SmallModel other(tokenizer.size(), ids.numel(), random);
        const Tensor weights = other.attention.with_weights(other.embedding(ids)).weights.value();
        for (std::int64_t n = 0; n < 2; ++n) {
            const Tensor of_it = tensor::select(tensor::select(weights, 0, n), 0, 7);  // [T]
            const std::int64_t best = tensor::argmax(of_it).item();
            ++found[words[static_cast<std::size_t>(best)]];
            to_animal += best == 1;
        }
    }
    std::string counts;
    for (const auto& [word, count] : found) counts += " " + word + " " + std::to_string(count);
    say("(of 40 heads)" + counts);
    check(words[7] == "it" && words[1] == "animal" && to_animal < 20 && found.size() > 4,
          "a random head does not know what \"it\" is; that is learned");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 09: multi-head attention. Several heads in place of one, three ways to build them, "
        "and why the notes' shortcuts give other numbers.");
    const EinsumAttention layer(30, 2, random, {.d_head = 10});
    const Weights P{layer.W_Q, layer.W_K, layer.W_V, layer.W_O,
                    layer.b_Q, layer.b_K, layer.b_V, layer.b_O};
    const Variable X(tensor::uniform({12, 20, 30}, random));  // [B, T, d_model]
    three_ways(X, layer, P);
    view_then_transpose();
    ones_hide_mistakes(X, P);
    sizes(random);
    cut_the_projection(random);
    a_mask_that_is_ignored(random);
    lines_of_004(random);
    what_a_head_sees(random);
    pictures(random);
}

int main(int argc, char** argv) {
    return tutorial::run({"09_multi_head_attention",
                          "Multi-head attention: three ways to build it, the same numbers."},
                         argc, argv, lesson);
}
