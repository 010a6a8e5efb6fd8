// Lesson 09, section 09.7: the code of note 004 as written, and what it computes.
#include "heed/autograd/ops.h"
#include "heed/nn/attention/head_axes.h"
#include "heed/nn/attention/multi_head_attention.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/09_heads.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::difference;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

// q·kᵀ with queries and keys each divided by the fourth root of `size`: note 004's scale.
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

// [b, t, h·k] -> [b·h, t, k], as in 004 for its queries: the heads are folded into the batch.
Variable fold(const Variable& x, std::int64_t h) {
    return flatten(contiguous(into_heads(x, h)), 0, 1);
}

// 004's lines for keys and values: they take the queries, already folded, and transpose again.
Variable queries_again(const Variable& queries) {
    const Variable turned = contiguous(transpose(queries, 1, 2));  // [b·h, k, t]
    return view(turned, queries.shape());                          // [b·h, t, k]
}

// All three [b·h, t, k] -> [b, t, k], with the layer's W^O.
Variable attention_of_004(const MultiHeadAttention& layer, const Variable& queries,
                          const Variable& keys, const Variable& values) {
    const std::int64_t h = layer.num_heads, t = queries.dim(1), k = queries.dim(2);
    const Variable weights = softmax(fourth_root_scores(queries, keys, k), -1);  // [b·h, t, t]
    const Variable heads = view(matmul(weights, values), {-1, h, t, k});         // [b, h, t, k]
    const Variable output = layer.W_O(merge(heads));                             // [b, t, k]
    return output;
}

void lines_of_004(Random& random) {
    section("09.7 Note 004, line by line");
    say("004's heads are wide: each has k = d_model features. It folds its queries right, (b, t, "
        "h, k) -> transpose(1, 2) -> (b·h, t, k). The next two lines read keys = queries... and "
        "values = queries..., each transposed again (erratum 004-2). view takes what lies there "
        "and calls it [b·h, t, k]:");
    const Variable x = unsqueeze(tutorial::numbered(3, 4), 0);  // [1, 3, 4]
    std::cout << "queries =\n"
              << select(x, 0, 0).value() << "\nkeys = values =\n"
              << select(queries_again(x), 0, 0).value() << "\n\n";
    check(queries_again(x)(0, 0, 1) == 100 && queries_again(x)(0, 0, 2) == 200,
          "the key of token 0 holds numbers of tokens 1 and 2");

    const std::int64_t k = 16, h = 4;
    MultiHeadAttention wide(k, h, random, {.bias = false, .d_head = k});
    const Variable X(tensor::normal({2, 5, k}, random));  // [b, t, k]
    const Variable queries = fold(wide.W_Q(X), h);        // [b·h, t, k]
    const Variable keys = fold(wide.W_K(X), h);           // [b·h, t, k]
    const Variable values = fold(wide.W_V(X), h);         // [b·h, t, k]
    const Variable again = queries_again(queries);        // [b·h, t, k]
    stop("09.7 keys from queries", {{"queries", queries}, {"keys", keys}, {"again", again}});
    const Variable output = attention_of_004(wide, queries, keys, values);
    const Variable output_004 = attention_of_004(wide, queries, again, again);
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
        "for wide heads, which have k features. Where d_model is cut into heads of k/h, the size "
        "that counts is the head's (erratum 004-3). Differences of the weights from nn's:");
    const MultiHeadAttention narrow(k, h, random, {.bias = false});
    const double by_k_wide = scale_error(wide, X, k);
    const double by_k = scale_error(narrow, X, k), by_head = scale_error(narrow, X, k / h);
    print_row(std::cout, "", {"by k = d_model", "by the head's size"}, 14, 18);
    print_row(std::cout, "4 heads of 16", {fixed(by_k_wide, 6), "the same"}, 14, 18);
    print_row(std::cout, "4 heads of 4", {fixed(by_k, 6), fixed(by_head, 6)}, 14, 18);
    std::cout << "\n";
    check(by_k_wide < 1e-5 && by_head < 1e-5, "the head's size is right for both");
    check(by_k > 1e-2, "k is wrong for heads that were cut");
    const Variable Q = split_heads(narrow.W_Q(X), h), K = split_heads(narrow.W_K(X), h);
    const Variable too_small = fourth_root_scores(Q, K, k);
    check(tensor::all_close((std::sqrt(4.0) * too_small).value(),
                            fourth_root_scores(Q, K, k / h).value(), 1e-4, 1e-5),
          "their scores come out too small, by √h = 2");
}
