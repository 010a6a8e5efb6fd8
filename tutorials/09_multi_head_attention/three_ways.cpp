// Lesson 09: the same heads as a list, with named axes, and as one matrix (09.2), and what each of
// them adds to the output (09.5).
#include "autograd/ops.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/09_multi_head_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::same;
using tutorial::say;
using tutorial::section;

Variable causal_weights(const Variable& scores) {
    const Mask mask = Mask::causal(scores.dim(-2), scores.dim(-1));        // [T, T]
    const Variable past = masked_fill(scores, mask.blocked(), -infinity);  // [..., T, T]
    const Variable weights = softmax(past, -1);                            // [..., T, T]
    return weights;
}

Variable scaled_scores(const Variable& Q, const Variable& K) {
    const double root = std::sqrt(static_cast<double>(K.dim(-1)));  // √d_head
    const Variable scores = matmul(Q, transpose(K)) / root;         // [..., T, T]
    return scores;
}

// Notes 000 and 002: one head after the other. Q, scores and heads are those of the last one.
Stages list_of_heads(const Variable& X, const Weights& P) {
    Stages s;
    std::vector<Variable> outputs, weights;
    for (std::int64_t n = 0; n < P.h(); ++n) {
        s.Q = matmul(X, select(P.W_Q, 0, n)) + select(P.b_Q, 0, n);               // [B, T, d_head]
        const Variable K = matmul(X, select(P.W_K, 0, n)) + select(P.b_K, 0, n);  // [B, T, d_head]
        const Variable V = matmul(X, select(P.W_V, 0, n)) + select(P.b_V, 0, n);  // [B, T, d_head]
        s.scores = scaled_scores(s.Q, K);                                         // [B, T, T]
        weights.push_back(causal_weights(s.scores));                              // [B, T, T]
        s.heads = matmul(weights.back(), V);                                      // [B, T, d_head]
        outputs.push_back(s.heads);
    }
    s.weights = stack(weights, 1);                              // [B, h, T, T]
    s.concat = concatenate(outputs, -1);                        // [B, T, h·d_head]
    s.output = matmul(s.concat, flatten(P.W_O, 0, 1)) + P.b_O;  // [B, T, d_model]
    return s;
}

// Note 003, with its axis names.
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
    s.scores = products / std::sqrt(static_cast<double>(P.d_head()));  // [B, h, T, T]
    s.weights = causal_weights(s.scores);                              // [B, h, T, T]
    s.heads = einsum(
        "batch posn_K nheads d_head, batch nheads posn_Q posn_K -> batch posn_Q nheads d_head", V,
        s.weights);  // [B, T, h, d_head]
    const Variable summed =
        einsum("batch posn_Q nheads d_head, nheads d_head d_model -> batch posn_Q d_model", s.heads,
               P.W_O);
    s.output = summed + P.b_O;  // [B, T, d_model]
    return s;
}

// The heads' matrices side by side: [h, d_model, d_head] -> [d_model, h·d_head]
Variable side_by_side(const Variable& W) {
    return reshape(permute(W, {1, 0, 2}), {W.dim(1), W.dim(0) * W.dim(2)});
}

Variable project_at_once(const Variable& X, const Variable& W, const Variable& b) {
    return matmul(X, side_by_side(W)) + flatten(b);  // [B, T, h·d_head]
}

// Views x as [B, T, h, d], then swaps the two middle axes.
Variable into_heads(const Variable& x, std::int64_t h) {
    const Variable cut = view(x, {x.dim(0), x.dim(1), h, x.dim(2) / h});  // [B, T, h, d]
    return transpose(cut, 1, 2);                                          // [B, h, T, d]
}

// After the transpose a view is impossible, so this copies.
Variable merge(const Variable& x) { return flatten(contiguous(transpose(x, 1, 2)), 2, 3); }

// Note 004 and PyTorch: one matrix for all heads, whose columns are then split.
Stages one_projection(const Variable& X, const Weights& P) {
    Stages s;
    s.Q = into_heads(project_at_once(X, P.W_Q, P.b_Q), P.h());               // [B, h, T, d_head]
    const Variable K = into_heads(project_at_once(X, P.W_K, P.b_K), P.h());  // [B, h, T, d_head]
    const Variable V = into_heads(project_at_once(X, P.W_V, P.b_V), P.h());  // [B, h, T, d_head]
    s.scores = scaled_scores(s.Q, K);                                        // [B, h, T, T]
    s.weights = causal_weights(s.scores);                                    // [B, h, T, T]
    s.heads = matmul(s.weights, V);                                          // [B, h, T, d_head]
    s.concat = merge(s.heads);                                               // [B, T, h·d_head]
    s.output = matmul(s.concat, flatten(P.W_O, 0, 1)) + P.b_O;               // [B, T, d_model]
    return s;
}

Weights draw_weights(std::int64_t d_model, std::int64_t h, std::int64_t d_head, Random& random) {
    const auto drawn = [&](const Shape& shape, std::int64_t in) {
        const double bound = 1 / std::sqrt(static_cast<double>(in));
        return Variable(tensor::uniform(shape, random, -bound, bound));
    };
    Weights P;
    for (Variable* W : {&P.W_Q, &P.W_K, &P.W_V}) *W = drawn({h, d_model, d_head}, d_model);
    P.W_O = drawn({h, d_head, d_model}, h * d_head);
    for (Variable* b : {&P.b_Q, &P.b_K, &P.b_V}) *b = drawn({h, d_head}, d_model);
    P.b_O = drawn({d_model}, h * d_head);
    return P;
}

// Copies the parameters into nn's layer. Its weights are the transposes of one_projection()'s
// matrices, [h·d_head, d_model] and [d_model, h·d_head].
void copy_to_layer(const Weights& P, MultiHeadAttention& layer) {
    StateDict state;
    state.add("W_Q.weight", transpose(side_by_side(P.W_Q)).value());
    state.add("W_K.weight", transpose(side_by_side(P.W_K)).value());
    state.add("W_V.weight", transpose(side_by_side(P.W_V)).value());
    state.add("W_O.weight", transpose(flatten(P.W_O, 0, 1)).value());
    state.add("W_Q.bias", flatten(P.b_Q).value());
    state.add("W_K.bias", flatten(P.b_K).value());
    state.add("W_V.bias", flatten(P.b_V).value());
    state.add("W_O.bias", P.b_O.value());
    load_state_dict(layer, state);
}

// W_Q, W_K or W_V of nn's layer with an axis for the heads: head n has rows n·d_head to
// (n + 1)·d_head of the weight.
Variable matrix_per_head(const Linear& projection, std::int64_t h) {
    const Variable& W = projection.weight;                       // [h·d_head, d_model]
    const Variable rows = view(W, {h, W.dim(0) / h, W.dim(1)});  // [h, d_head, d_model]
    return transpose(rows);                                      // [h, d_model, d_head]
}

// `times`, such as "2 × ", says how many such tensors the list has.
void print_stage(const std::string& name, const std::string& times, const Variable& list,
                 const Variable& einsum, const Variable& one) {
    print_row(std::cout, name,
              {times + list.shape().text(), einsum.shape().text(), one.shape().text()}, 8, 19);
}

void three_ways(const Variable& X, MultiHeadAttention& layer, const Weights& P) {
    section("09.2 Several heads, built three ways");
    say("$head_n = softmax(Q_n·K_nᵀ / √d_head)·V_n$, with projections of its own, and "
        "$MultiHead(X) = Concat(head_1, ..., head_h)·W^O$. Three ways to build it: a list of "
        "heads; products with named axes; and, as in PyTorch, one matrix for all heads, whose "
        "output is cut.");
    say("The usual size of a head is $d_model / h$, so that all heads together cost what a large "
        "one would: 64 features in BERT, which has $d_model$ 768 and 12 heads. But any size will "
        "do, since $W^O$ brings $h·d_head$ back to $d_model$. Here are 12 sequences of 20 tokens, "
        "$d_model$ 30, and 2 heads of 10.");
    const Stages list = list_of_heads(X, P);
    const Stages named = by_einsum(X, P);
    const Stages one = one_projection(X, P);
    tutorial::predict_shape(
        "X is [12, 20, 30]; 2 heads of 10. What is the shape of Q in the one projection?",
        one.Q.shape(), "For each sequence and head, a query of 10 numbers for each of 20 tokens.");
    stop("09.2 three ways", {{"list.weights", list.weights}, {"named.weights", named.weights}});
    print_row(std::cout, "", {"list of heads", "einsum", "one projection"}, 8, 19);
    print_stage("W^Q", "2 × ", select(P.W_Q, 0, 0), P.W_Q, side_by_side(P.W_Q));
    print_stage("Q", "2 × ", list.Q, named.Q, one.Q);
    print_stage("scores", "2 × ", list.scores, named.scores, one.scores);
    print_stage("heads", "2 × ", list.heads, named.heads, one.heads);
    print_row(std::cout, "concat", {list.concat.shape().text(), "-", one.concat.shape().text()}, 8,
              19);
    print_stage("output", "", list.output, named.output, one.output);
    std::cout << "\n";
    check(same(list.weights, named.weights) && same(list.weights, one.weights),
          text("the weights ", list.weights.shape(), " have the same bits all three ways"));
    check(same(list.output, named.output) && same(list.output, one.output),
          "so do the outputs: every sum is taken in the same order");

    copy_to_layer(P, layer);
    std::cout << "\n" << layer << "\n\n";
    check(same(layer(X, Mask::causal(X.dim(1))), list.output),
          "nn's MultiHeadAttention with the same parameters has the same output, bit for bit");
    check(same(matrix_per_head(layer.W_Q, P.h()), P.W_Q),
          "converted there and back, $W_Q$ is what it was");
    tutorial::in_the_notes("000 and 002 keep a list of heads, 003 names the axes and has these "
                           "sizes, 004 has one matrix. 002 has 54 for $768 / 12$ (002-3), and 000 "
                           "takes the size of the vocabulary for the number of heads (000-7).");
}

void sum_over_heads(const Variable& X, const Weights& P) {
    section("09.5 The sum over heads");
    say("$W^O$ has d_head rows for each head: $W^O[n]$. The product with the concatenated heads is "
        "a sum, $concat·W^O = Σ_n head_n·W^O[n]$. Each head writes into the output with a block of "
        "its own, and what the heads write is added. Token 2 of the first sequence, first five "
        "numbers:");
    const Stages one = one_projection(X, P);
    tutorial::predict_shape("Heads of 10, $d_model$ 30. What is the shape of $W^O[n]$?",
                            select(P.W_O, 0, 0).shape(),
                            "It takes a head's 10 numbers to the 30 of the output.");
    const Variable head_0 = select(one.heads, 1, 0), head_1 = select(one.heads, 1, 1);
    const Variable from_0 = matmul(head_0, select(P.W_O, 0, 0));  // [B, T, d_model]
    const Variable from_1 = matmul(head_1, select(P.W_O, 0, 1));  // [B, T, d_model]
    const Variable sum = from_0 + from_1 + P.b_O;                 // [B, T, d_model]
    stop("09.5 the sum over heads", {{"sum", sum}, {"one.output", one.output}});
    const char* names[] = {"head 0 writes", "head 1 writes", "their sum + b^O", "output"};
    const Variable lines[] = {from_0, from_1, sum, one.output};
    for (std::size_t i = 0; i < 4; ++i) {
        std::vector<std::string> cells;
        for (std::int64_t c = 0; c < 5; ++c) cells.push_back(fixed(lines[i](0, 2, c)));
        print_row(std::cout, names[i], cells, 15, 8);
    }
    std::cout << "\n";
    check(tutorial::difference(sum, one.output) < 1e-6,
          "the heads' parts add up to the output, within rounding: the sum has another order");
    say("So no head needs to know of the others, and in a model that adds the output to X (lesson "
        "12) each head adds its own part.");
}
