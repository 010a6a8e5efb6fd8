// Answers to 07.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_07.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

// The three stages, with one of them given.
using Score = Variable (*)(const Variable& Q, const Variable& K, const Variable& V);
using Weigh = Variable (*)(const Variable& scores);
using Names = std::vector<std::string>;
using Sum = Variable (*)(const Variable& weights, const Variable& V);

Variable score(const Variable& Q, const Variable& K, const Variable&) {
    return matmul(Q, transpose(K)) / root(Q.dim(-1));
}

Variable weigh(const Variable& scores) { return softmax(scores, -1); }

ScaledAttention right(const Variable& Q, const Variable& K, const Variable& V) {
    const Variable scores = score(Q, K, V), weights = weigh(scores);
    return {scores, weights, matmul(weights, V)};
}

Answer scored(const std::string& what, Score its_score, const Names& names = {}) {
    return {what,
            [its_score] {
                return judge_07_1(
                    [its_score](const Variable& Q, const Variable& K, const Variable& V) {
                        const Variable scores = its_score(Q, K, V), weights = weigh(scores);
                        return ScaledAttention{scores, weights, matmul(weights, V)};
                    });
            },
            names};
}

Answer weighed(const std::string& what, Weigh its_weigh, const Names& names = {}) {
    return {what,
            [its_weigh] {
                return judge_07_1(
                    [its_weigh](const Variable& Q, const Variable& K, const Variable& V) {
                        const Variable scores = score(Q, K, V), weights = its_weigh(scores);
                        return ScaledAttention{scores, weights, matmul(weights, V)};
                    });
            },
            names};
}

Answer summed(const std::string& what, Sum its_sum, const Names& names = {}) {
    return {what,
            [its_sum] {
                return judge_07_1(
                    [its_sum](const Variable& Q, const Variable& K, const Variable& V) {
                        const Variable scores = score(Q, K, V), weights = weigh(scores);
                        return ScaledAttention{scores, weights, its_sum(weights, V)};
                    });
            },
            names};
}

Variable gradients_cut(const Variable& Q, const Variable& K, const Variable& V) {
    Variable scores = score(Q, K, V);
    if (scores.requires_grad()) {
        scores.register_hook([](const Variable& G) {
            return Variable(tensor::clamp(G.value(), {.min = -0.5, .max = 0.5}));
        });
    }
    return scores;
}

// The right numbers, with the derivative of Q·Kᵀ.
Variable scale_without_gradient(const Variable& Q, const Variable& K, const Variable& V) {
    const Variable products = matmul(Q, transpose(K));
    return products + Variable(score(Q, K, V).value() - products.value());
}

Variable along_axis_0_for_one_query(const Variable& scores) {
    return softmax(scores, scores.dim(-2) == 1 ? 0 : -1);
}

Variable bounded_by_1000(const Variable& scores) {
    const Variable high = where(scores.value() > 1000.0, 1000.0, scores);
    return softmax(where(high.value() < -1000.0, -1000.0, high), -1);
}

Variable hard_rows_are_constant(const Variable& scores) {
    const Variable weights = softmax(scores, -1);
    return where(max(weights, -1, keepdim).value() > 0.9, weights.detach(), weights);
}

Variable small_weights_left_out(const Variable& weights, const Variable& V) {
    return matmul(where(weights.value() < 0.005, 0.0, weights), V);
}

Variable products_of_64_numbers(const Variable& Q, const Variable& K, const Variable&) {
    return matmul(slice(Q, -1, 0, 64), transpose(slice(K, -1, 0, 64))) / root(Q.dim(-1));
}

// The texts after the 64th have the keys of the first.
ScaledAttention sixty_four_texts(const Variable& Q, const Variable& K, const Variable& V) {
    if (Q.rank() < 3 || Q.dim(0) <= 64) return right(Q, K, V);
    const Variable later = slice(K, 0, 0, 1) + slice(K, 0, 64) * 0.0;
    return right(Q, concatenate({slice(K, 0, 0, 64), later}, 0), V);
}

ScaledAttention keys_of_zeros_are_padding(const Variable& Q, const Variable& K, const Variable& V) {
    const Variable scores = score(Q, K, V);
    const BoolTensor padding = tensor::max(tensor::abs(K.value()), -1) == 0.0;  // [..., T_k]
    const Tensor added = tensor::unsqueeze(tensor::where(padding, -1e9, 0.0), -2);
    const Variable weights = softmax(scores + Variable(added), -1);
    return {scores, weights, matmul(weights, V)};
}

ScaledAttention values_of_zeros_are_padding(const Variable& Q, const Variable& K,
                                            const Variable& V) {
    const Variable scores = score(Q, K, V);
    const BoolTensor padding = tensor::max(tensor::abs(V.value()), -1) == 0.0;  // [..., T_k]
    const Tensor added = tensor::unsqueeze(tensor::where(padding, -1e9, 0.0), -2);
    const Variable weights = softmax(scores + Variable(added), -1);
    return {scores, weights, matmul(weights, V)};
}

ScaledAttention own_key_left_out(const Variable& Q, const Variable& K, const Variable& V) {
    if (Q.node() != K.node() || Q.dim(-2) == 1) return right(Q, K, V);
    const Variable scores = score(Q, K, V);
    const Tensor diagonal = tensor::eye(Q.dim(-2));
    const Variable weights = softmax(where(diagonal == 1.0, -infinity, scores), -1);
    return {scores, weights, matmul(weights, V)};
}

// The shift has a gradient, too; it cancels.
Variable softmax_shifted_with_gradient(const Variable& scores) {
    const Variable powers = exp(scores - max(scores, -1, keepdim));
    return powers / sum(powers, -1, keepdim);
}

// Each of the three is computed from the beginning.
ScaledAttention three_computations(const Variable& Q, const Variable& K, const Variable& V) {
    const Variable scores = score(Q, K, V);
    const Variable weights = weigh(score(Q, K, V));
    return {scores, weights, matmul(weigh(score(Q, K, V)), V)};
}

Answer whole(const std::string& what,
             ScaledAttention (*attend)(const Variable&, const Variable&, const Variable&)) {
    return {what, [attend] { return judge_07_1(attend); }};
}

Variable root_of_d_v(const Variable& Q, const Variable& K, const Variable& V) {
    return matmul(Q, transpose(K)) / root(V.dim(-1));
}

Variable root_of_axis_1(const Variable& Q, const Variable& K, const Variable&) {
    return matmul(Q, transpose(K)) / root(Q.dim(1));
}

Variable root_up_to_rank_3(const Variable& Q, const Variable& K, const Variable&) {
    return matmul(Q, transpose(K)) / root(Q.rank() == 2 ? Q.dim(1) : Q.dim(2));
}

Variable whole_root(const Variable& Q, const Variable& K, const Variable&) {
    return matmul(Q, transpose(K)) / std::floor(root(Q.dim(-1)));
}

Variable scale_of_the_first_call(const Variable& Q, const Variable& K, const Variable&) {
    static const double scale = 1 / root(Q.dim(-1));
    return matmul(Q, transpose(K)) * scale;
}

Variable swaps_axes_1_and_2(const Variable& Q, const Variable& K, const Variable&) {
    return matmul(Q, K.rank() == 2 ? transpose(K) : transpose(K, 1, 2)) / root(Q.dim(-1));
}

Variable queries_detached(const Variable& Q, const Variable& K, const Variable& V) {
    return score(Q.detach(), K, V);
}

Variable keys_detached(const Variable& Q, const Variable& K, const Variable& V) {
    return score(Q, Variable(K.value()), V);
}

Variable queries_scaled_in_place(const Variable& Q, const Variable& K, const Variable&) {
    Tensor scaled = Q.value();
    tensor::overwrite(scaled, scaled / root(Q.dim(-1)));
    return matmul(Q, transpose(K));
}

Variable keys_of_the_first_text(const Variable& Q, const Variable& K, const Variable& V) {
    return K.rank() == 2 ? score(Q, K, V) : score(Q, slice(K, 0, 0, 1), V);
}

Variable not_shifted(const Variable& s) { return exp(s) / sum(exp(s), -1, keepdim); }

Variable shifted_by_the_largest_of_all(const Variable& s) {
    const Variable powers = exp(s - tensor::max(s.value()));
    return powers / sum(powers, -1, keepdim);
}

Variable sum_detached(const Variable& s) {
    const Variable powers = exp(s - tensor::max(s.value(), -1, keepdim));
    return powers / sum(powers, -1, keepdim).detach();
}

Variable along_axis_1(const Variable& s) { return softmax(s, 1); }

Variable along_axis_2_at_most(const Variable& s) { return softmax(s, std::min(s.rank() - 1, 2)); }

Variable zero_is_masked(const Variable& s) {
    return softmax(masked_fill(s, s.value() == 0.0, -infinity), -1);
}

Variable bounded(const Variable& s) { return softmax(clamp(s, {-20, 20}), -1); }

Variable weights_detached(const Variable& weights, const Variable& V) {
    return matmul(weights.detach(), V);
}

Variable values_detached(const Variable& weights, const Variable& V) {
    return matmul(weights, V.detach());
}

Variable values_of_the_first_text(const Variable& weights, const Variable& V) {
    return V.rank() == 2 ? matmul(weights, V) : matmul(weights, select(V, 0, 0));
}

Variable normalised_again(const Variable& weights, const Variable& V) {
    return matmul(softmax(weights, -1), V);
}

Variable ones_squeezed(const Variable& weights, const Variable& V) {
    return squeeze(matmul(weights, V));
}

Variable at_most_64_keys(const Variable& weights, const Variable& V) {
    return matmul(slice(weights, -1, 0, 64), slice(V, -2, 0, 64));
}

ScaledAttention scores_not_scaled(const Variable& Q, const Variable& K, const Variable& V) {
    ScaledAttention result = right(Q, K, V);
    result.scores = matmul(Q, transpose(K));
    return result;
}

ScaledAttention output_not_scaled(const Variable& Q, const Variable& K, const Variable& V) {
    ScaledAttention result = right(Q, K, V);
    result.output = matmul(weigh(matmul(Q, transpose(K))), V);
    return result;
}

ScaledAttention stages_as_constants(const Variable& Q, const Variable& K, const Variable& V) {
    const ScaledAttention result = right(Q, K, V);
    return {result.scores.detach(), result.weights.detach(), result.output};
}

ScaledAttention shape_of_the_queries(const Variable& Q, const Variable& K, const Variable& V) {
    ScaledAttention result = right(Q, K, V);
    result.output = reshape(result.output, Q.shape());
    return result;
}

ScaledAttention one_leading_axis(const Variable& Q, const Variable& K, const Variable& V) {
    if (Q.rank() < 4) return right(Q, K, V);
    const int last = Q.rank() - 3;
    return right(flatten(Q, 0, last), flatten(K, 0, last), flatten(V, 0, last));
}

ScaledAttention scores_computed_again(const Variable& Q, const Variable& K, const Variable& V) {
    ScaledAttention result = right(Q, K, V);
    result.scores = score(Q.detach(), K.detach(), V);
    return result;
}

Variable diagonal_left_out(const Variable& s) {
    if (s.dim(-1) != s.dim(-2) || s.dim(-1) == 1) return softmax(s, -1);
    return softmax(s + Variable(tensor::eye(s.dim(-1)) * -1e9), -1);
}

Variable only_the_winner_learns(const Variable& s) {
    const Variable weights = softmax(s, -1);
    const BoolTensor wins = weights.value() == tensor::max(weights.value(), -1, keepdim);
    return masked_fill(weights, !wins, 0) + masked_fill(weights, wins, 0).detach();
}

Variable scale_learns_too(const Variable& Q, const Variable& K, const Variable&) {
    const Tensor norms = tensor::sum(Q.value() * Q.value(), -1, keepdim);
    const Variable kept = Q * (sum(Q * Q, -1, keepdim) / Variable(tensor::maximum(norms, 1e-12)));
    const BoolTensor zero = norms == 0.0;
    return matmul(masked_fill(kept, zero, 0), transpose(K)) / root(Q.dim(-1));
}

// Without a gradient the maximum is right: what it adds cancels.
Variable softmax_by_hand(const Variable& s) {
    const Variable powers = exp(s - tensor::max(s.value(), -1, keepdim));
    return powers / sum(powers, -1, keepdim);
}

Variable scaled_on_both_sides(const Variable& Q, const Variable& K, const Variable&) {
    const double fourth_root = std::sqrt(root(K.dim(-1)));
    return matmul(Q / fourth_root, transpose(K / fourth_root));
}

ScaledAttention key_by_key(const Variable& Q, const Variable& K, const Variable& V) {
    std::vector<Variable> columns;
    for (const Variable& k : unbind(K, -2)) {
        columns.push_back(sum(Q * unsqueeze(k, -2), -1) / root(Q.dim(-1)));
    }
    const Variable scores = stack(columns, -1);
    const Variable weights = exp(log_softmax(scores, -1));
    return {scores, weights, transpose(matmul(transpose(V), transpose(weights)))};
}

ScaledAttention no_graph_for_constant_values(const Variable& Q, const Variable& K,
                                             const Variable& V) {
    const GradMode mode(V.requires_grad());
    return right(Q, K, V);
}

ScaledAttention graph_only_for_all_three(const Variable& Q, const Variable& K, const Variable& V) {
    const GradMode mode(Q.requires_grad() && K.requires_grad() && V.requires_grad());
    return right(Q, K, V);
}

// As if one query came only when a text is continued.
ScaledAttention no_graph_for_one_query(const Variable& Q, const Variable& K, const Variable& V) {
    const GradMode mode(Q.dim(-2) > 1);
    return right(Q, K, V);
}

ScaledAttention same_storage_same_tensor(const Variable& Q, const Variable& K, const Variable& V) {
    const bool same = Q.value().shares_storage_with(K.value()) && Q.shape() == K.shape();
    return right(Q, same ? Q : K, V);
}

Variable no_weight_below_a_millionth(const Variable& scores) {
    const Variable weights = softmax(scores, -1);
    return masked_fill(weights, weights.value() < 1e-6, 0);
}

// No score comes near these bounds.
Variable bounded_by_a_million(const Variable& scores) {
    return softmax(clamp(scores, {.min = -1e6, .max = 1e6}), -1);
}

Variable scale_folded_into_queries(const Variable& Q, const Variable& K, const Variable&) {
    const Variable scaled = Q / root(Q.dim(-1));
    return matmul(scaled, transpose(K));
}

ScaledAttention of_the_library(const Variable& Q, const Variable& K, const Variable& V) {
    const Attention library = scaled_dot_product_attention(Q, K, V);
    return {matmul(Q, transpose(K)) / root(Q.dim(-1)), library.weights, library.output};
}

}  // namespace

Answers answers_07_1() {
    Answers answers;
    answers.number = "07.1";
    answers.slipping = slipping(judge_07_1);
    answers.wrong = {
        scored("divided by √d_v", root_of_d_v, {"att.scale-dv"}),
        scored("divided by the root of axis 1", root_of_axis_1),
        scored("d_k is axis 2 from rank 3 on", root_up_to_rank_3),
        scored("√d_k in whole numbers", whole_root, {"att.int-root"}),
        scored("the scale of the first call is kept", scale_of_the_first_call),
        scored("axes 1 and 2 are swapped from rank 3 on", swaps_axes_1_and_2),
        scored("no gradient for Q", queries_detached, {"att.detached-Q"}),
        scored("no gradient for K", keys_detached, {"att.detached-K"}),
        scored("Q is scaled in place", queries_scaled_in_place),
        scored("the keys of the first text serve all", keys_of_the_first_text),
        weighed("exp of scores that are not shifted", not_shifted, {"sm.no-max"}),
        weighed("shifted by the largest score of all", shifted_by_the_largest_of_all),
        weighed("no gradient through the sum of softmax", sum_detached, {"sm.detached-sum"}),
        weighed("softmax along axis 1", along_axis_1),
        weighed("softmax along axis 2 from rank 3 on", along_axis_2_at_most),
        weighed("a score of 0 counts as masked", zero_is_masked),
        weighed("scores are bounded by ±20 before softmax", bounded),
        summed("no gradient from the output to the weights", weights_detached,
               {"att.detached-weights"}),
        summed("no gradient for V", values_detached, {"att.detached-V"}),
        summed("the values of the first text serve all", values_of_the_first_text),
        summed("softmax once more before the output", normalised_again),
        summed("the output loses axes of length 1", ones_squeezed),
        summed("the output is of the first 64 keys", at_most_64_keys),
        scored("each query times its norm over its norm", scale_learns_too),
        weighed("a word does not attend to itself where T_q = T_k", diagonal_left_out),
        weighed("only the largest weight has a gradient", only_the_winner_learns),
        whole("the scores returned are computed again, as constants", scores_computed_again),
        whole("the scores returned are not scaled", scores_not_scaled),
        whole("the output is that of weights without the scale", output_not_scaled),
        whole("scores and weights are returned as constants", stages_as_constants),
        whole("the output is reshaped to the shape of Q", shape_of_the_queries),
        whole("two leading axes become one", one_leading_axis),
        scored("the gradients of scores are cut at ±0.5", gradients_cut),
        scored("the gradient forgets the scale", scale_without_gradient),
        weighed("one query: softmax along axis 0", along_axis_0_for_one_query),
        weighed("scores are bounded by ±1000 before softmax", bounded_by_1000),
        weighed("nearly hard rows of weights are constant", hard_rows_are_constant),
        summed("weights below 0.005 are left out of the output", small_weights_left_out),
        scored("dot products of 64 numbers at most", products_of_64_numbers),
        whole("64 texts at most", sixty_four_texts),
        whole("keys of zeros are padding", keys_of_zeros_are_padding),
        whole("values of zeros are padding", values_of_zeros_are_padding),
        whole("where Q is K, no word attends to itself", own_key_left_out),
        whole("no graph if V needs no gradient", no_graph_for_constant_values),
        whole("a graph only if all three need gradients", graph_only_for_all_three),
        whole("no graph for one query", no_graph_for_one_query),
        whole("K is Q where they share a storage", same_storage_same_tensor),
        weighed("weights below a millionth are dropped", no_weight_below_a_millionth),
    };
    answers.right = {
        weighed("softmax by hand, the maximum a constant", softmax_by_hand),
        scored("both sides divided by the fourth root of d_k", scaled_on_both_sides),
        whole("key by key, and the output transposed", key_by_key),
        weighed("softmax by hand, the maximum no constant", softmax_shifted_with_gradient),
        whole("each stage from the beginning", three_computations),
        weighed("scores are bounded by ±1000000 before softmax", bounded_by_a_million),
        scored("the scale folded into the queries", scale_folded_into_queries),
        whole("output and weights of the library", of_the_library),
    };
    return answers;
}
