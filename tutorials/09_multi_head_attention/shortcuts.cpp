// Lesson 09: shortcuts and slips, what they change, and why a comparison with all weights set to
// one does not reveal them (09.7 to 09.9).
#include "autograd/ops.h"
#include "nn/attention/multi_head_attention.h"
#include "nn/pages/heat_map.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/09_multi_head_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::difference;
using tutorial::print_row;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;

// Mistakes that are easy to make here.
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
    section("09.7 Weights of ones hide mistakes");
    say("Somebody writes the layer and compares it with one that is right, both with weights of "
        "ones and biases of zeros. Here are seven slips under that comparison (torch.allclose with "
        "its default tolerances), with ones and with random parameters.");
    const std::pair<Slip, const char*> slips[] = {
        {Slip::keys, "keys made with W^Q"},
        {Slip::exchanged, "Q and K exchanged in the scores"},
        {Slip::every_hth, "a head is every h-th column"},
        {Slip::one_head, "keys and values of head 0 for all"},
        {Slip::W_O, "W^O read as [out, in]"},
        {Slip::split, "heads cut by view alone"},
        {Slip::merge, "heads merged without transpose"}};
    const Weights P_ones = ones(P);
    print_row(std::cout, "largest difference", {"ones", "", "random", ""}, 34, 8);
    int passed_ones = 0, passed = 0;
    for (const auto& [slip, what] : slips) {
        std::vector<std::string> cells;
        for (const Weights* weights : {&P_ones, &P}) {
            const Variable right = one_projection(X, *weights).output;  // [B, T, d_model]
            const Variable wrong = with_slip(X, *weights, slip);        // [B, T, d_model]
            const double apart = difference(wrong, right);
            const bool passes = tensor::all_close(wrong.value(), right.value());
            cells.insert(cells.end(), {fixed(apart), passes ? "passes" : "fails"});
            passed_ones += weights == &P_ones && passes;
            passed += weights == &P && (passes || apart < 1e-3);
        }
        print_row(std::cout, what, cells, 34, 8);
    }
    std::cout << "\n";
    check(same(with_slip(X, P, Slip::none), one_projection(X, P).output),
          "without a slip the bits are the same");
    check(passed_ones == 5, "with ones five of the seven pass as right");
    check(passed == 0, "with random parameters none does");

    say("With ones $Q = K = V$, and all their columns are the same number. Only what mixes up the "
        "positions is noticed.");
    const Variable heads = one_projection(X, P_ones).heads;  // [B, h, T, d]
    check(same(select(heads, 1, 0), select(heads, 1, 1)),
          "with ones the heads are copies of each other");
    tutorial::in_the_notes("003's exercise compares layers whose weights are all ones (003-3).");
}

// Each head projects only its slice of X, by a matrix of its own, W[...] [h, d, d]. A mask is
// accepted and never read.
Attention cut_first(const Variable& X, const Variable* W, const std::optional<Mask>& = {}) {
    const Variable slices = into_heads(X, W[0].dim(0));  // [B, h, T, d]
    return scaled_dot_product_attention(matmul(slices, W[0]), matmul(slices, W[1]),
                                        matmul(slices, W[2]));
}

// All of X is projected, by W[...] [d_model, d_model], and the result is cut into heads.
Attention project_first(const Variable& X, const Variable* W, std::int64_t h,
                        const std::optional<Mask>& mask = {}) {
    return scaled_dot_product_attention(into_heads(matmul(X, W[0]), h),
                                        into_heads(matmul(X, W[1]), h),
                                        into_heads(matmul(X, W[2]), h), mask);
}

void too_little_and_too_much(Random& random) {
    section("09.8 Heads that see too little, or too much");
    say("A shortcut: cut the input into slices, one for each head, and let each head project its "
        "own. That is a projection by a matrix that is 0 outside blocks on its diagonal, here with "
        "12 numbers to learn in place of 36. To see what it loses, change features 2 and 3 of "
        "every token, which are the slice of head 1:");
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    Variable small[3], full[3];  // for Q, K, V
    for (int i = 0; i < 3; ++i) {
        small[i] = Variable(tensor::normal({h, d, d}, random));
        full[i] = Variable(tensor::normal({d_model, d_model}, random));
    }
    const Variable X(tensor::normal({1, T, d_model}, random));  // [B, T, d_model]
    const Tensor zeros = tensor::zeros({1, T, d}), noise = tensor::normal({1, T, d}, random);
    const Variable moved(X.value() + tensor::concatenate({zeros, noise, zeros}, -1));
    const Attention cut = cut_first(X, small), projected = project_first(X, full, h);
    const Variable of_cut = cut.output - cut_first(moved, small).output;  // [1, h, T, d]
    const Variable of_projected = projected.output - project_first(moved, full, h).output;
    print_row(std::cout, "largest change", {"slice, then project", "project, then cut"}, 14, 20);
    bool only_one = true, all = true;
    for (std::int64_t n = 0; n < h; ++n) {
        const double by_slice = tensor::max(abs(select(of_cut, 1, n)).value()).item();
        const double by_all = tensor::max(abs(select(of_projected, 1, n)).value()).item();
        print_row(std::cout, text("head ", n), {fixed(by_slice), fixed(by_all)}, 14, 20);
        only_one = only_one && (by_slice != 0) == (n == 1);
        all = all && by_all > 1e-3;
    }
    std::cout << "\n";
    check(only_one, "sliced, heads 0 and 2 do not change at all");
    check(all, "projected, every head changes");

    say("Another slip: the function of these heads accepts a mask and never reads it. Asked for a "
        "causal mask, token 0 of head 0:");
    const Attention asked = cut_first(X, small, Mask::causal(T));
    const Attention masked = project_first(X, full, h, Mask::causal(T));
    const Tensor ignored = row(row(asked.weights.value(), 0), 0);   // [T, T]
    const Tensor applied = row(row(masked.weights.value(), 0), 0);  // [T, T]
    stop("09.8 a mask that is ignored", {{"ignored", ignored}, {"applied", applied}});
    const Tensor first = tensor::stack({row(ignored, 0), row(applied, 0)});  // [2, T]
    print_heat_map(std::cout, {"mask ignored", "mask applied"}, {"0", "1", "2", "3", "4"}, first,
                   Mask::blocking(first == 0));
    check(same(asked.weights, cut.weights),
          "ignored, it gives the weights without a mask, bit for bit");
    check((tensor::triu(masked.weights.value(), 1) == 0).all(),
          "applied, it makes the future exactly 0");
    tutorial::in_the_notes(
        "004 advises to cut the input (004-5), and 002 says that a head sees a slice (002-11); "
        "their code projects. 001's function has no projections and ignores its mask (001-11); it "
        "ends with squeeze(), which drops a batch of one, and a vector for $W^O$ (001-7). Its "
        "softmax is that of lesson 05 (001-1).");
}

void keys_from_queries(Random& random) {
    section("09.9 Keys from queries, and the size that counts");
    say("Heads can be folded into the batch, [b, t, h, k] -> [b, h, t, k] -> $[b·h, t, k]$. A slip "
        "that runs: keys = queries..., values = queries..., the folded queries transposed again "
        "and viewed as $[b·h, t, k]$. $W^K$ and $W^V$ are never used, so they cannot learn:");
    const Variable queries = unsqueeze(tutorial::numbered(3, 4), 0);  // [b·h, t, k]
    const Variable keys = view(contiguous(transpose(queries, 1, 2)), queries.shape());
    stop("09.9 keys from queries", {{"queries", queries}, {"keys", keys}});
    std::cout << "queries =\n"
              << select(queries, 0, 0).value() << "\nkeys = values =\n"
              << select(keys, 0, 0).value() << "\n\n";
    check(keys.shape() == queries.shape() && keys(0, 0, 1) == 100 && keys(0, 0, 2) == 200,
          "the shape is right, and the key of token 0 holds numbers of tokens 1 and 2");

    say("And the root: dividing queries and keys by $k^(1/4)$ each divides $q·k$ by $√k$, where k "
        "has to be the size of a head. 4 heads of 4 by nn, and with the root of $d_model = 16$:");
    const MultiHeadAttention layer(16, 4, random, {.bias = false});
    MultiHeadAttention by_d_model = layer;
    by_d_model.scale = 0.25;                                 // 1/√16
    const Variable X(tensor::normal({2, 5, 16}, random));    // [B, T, d_model]
    const Variable weights = layer.with_weights(X).weights;  // [B, h, T, T]
    const double apart = difference(weights, by_d_model.with_weights(X).weights);
    std::cout << "largest difference of the weights " << fixed(apart) << "\n\n";
    check(apart > 0.01, "with $d_model$ the scores are too small, by $√h$, and the weights differ");
    tutorial::in_the_notes("004 has these lines for keys and values (004-2), and divides by the "
                           "root of $d_model$, which is right for its wide heads (004-3).");
}
