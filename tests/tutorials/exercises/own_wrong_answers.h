// Wrong attentions for the lessons on one's own attention, as learners write them for 08.3.
#pragma once

#include "own_answers.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

#include <cmath>
#include <vector>

namespace own_answers {

using namespace heed;

inline Variable scores_of(const Variable& Q, const Variable& K) {
    return matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
}
inline Variable shut(const Variable& scores, const Mask& mask, double fill = -infinity) {
    return masked_fill(scores, mask.blocked(), fill);
}
inline exercise::WeightsAndOutput mixed(const Variable& weights, const Variable& V) {
    return {weights, matmul(weights, V)};
}
inline exercise::WeightsAndOutput right(const Variable& Q, const Variable& K, const Variable& V,
                                        const Mask& mask) {
    return mixed(softmax(shut(scores_of(Q, K), mask), -1), V);
}
// The largest of each row, and 0 where nothing may be seen.
inline Tensor largest_of(const Variable& scores) {
    const Tensor largest = tensor::max(scores.value(), -1, keepdim);
    return tensor::masked_fill(largest, largest == -infinity, 0);
}
// e divided by the sum of its rows, which is 1 where nothing may be seen.
inline Variable normed(const Variable& e) {
    const Variable total = sum(e, -1, keepdim);
    return e / masked_fill(total, total.value() == 0, 1);
}
// The blocked entries of the first text, or of the first head, for all.
inline BoolTensor first_of(const Mask& mask, int axis) {
    const Tensor blocked = tensor::where(mask.blocked(), 1, 0);
    return tensor::contiguous(tensor::slice(blocked, axis, 0, 1)) == 1;
}

inline std::vector<OwnAnswer> wrong_softmaxes() {
    const auto of_exponentials = [](auto&& exponentials_of, auto&& norm_of) {
        return [=](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
            const Variable e = exponentials_of(shut(scores_of(Q, K), mask));
            return mixed(norm_of(e), V);
        };
    };
    const auto stable = [](const Variable& s) { return exp(s - Variable(largest_of(s))); };
    return {
        {"detached_norm",
         of_exponentials(stable,
                         [](const Variable& e) {
                             const Variable total = sum(e, -1, keepdim);
                             return e / masked_fill(total, total.value() == 0, 1).detach();
                         })},
        {"detached_exponentials",
         of_exponentials(stable,
                         [](const Variable& e) {
                             const Variable total = sum(e, -1, keepdim);
                             return e.detach() / masked_fill(total, total.value() == 0, 1);
                         })},
        {"naive_exp", of_exponentials([](const Variable& s) { return exp(s); }, normed)},
        {"maximum_from_0",
         of_exponentials(
             [](const Variable& s) { return exp(s - Variable(tensor::maximum(largest_of(s), 0))); },
             normed)},
        {"maximum_of_all",
         of_exponentials(
             [](const Variable& s) { return exp(s - Variable(tensor::max(s.value()))); }, normed)},
        {"sum_plus_a_bit",
         of_exponentials(stable,
                         [](const Variable& e) { return e / (sum(e, -1, keepdim) + 1e-3); })},
        {"nan_for_blind", of_exponentials(
                              [](const Variable& s) {
                                  return exp(s - Variable(tensor::max(s.value(), -1, keepdim)));
                              },
                              [](const Variable& e) { return e / sum(e, -1, keepdim); })},
        {"cut_at_20",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return mixed(softmax(shut(clamp(scores_of(Q, K), {-20, 20}), mask), -1), V);
         }},
    };
}

inline std::vector<OwnAnswer> wrong_masks() {
    const auto masked = [](auto&& function) {
        return [=](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
            return mixed(softmax(function(scores_of(Q, K), mask), -1), V);
        };
    };
    return {
        {"fill_1e9", masked([](const Variable& s, const Mask& m) { return shut(s, m, -1e9); })},
        {"fill_1e4_blind_0",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable weights = softmax(shut(scores_of(Q, K), mask, -1e4), -1);
             return mixed(shut(weights, mask, 0), V);
         }},
        {"fill_0", masked([](const Variable& s, const Mask& m) { return shut(s, m, 0); })},
        {"zero_is_blocked", masked([](const Variable& s, const Mask& m) {
             const Variable product = s * Variable(tensor::where(m.allowed(), 1, 0));
             return masked_fill(product, product.value() == 0, -infinity);
         })},
        {"mask_of_first_text", masked([](const Variable& s, const Mask& m) {
             return masked_fill(s, first_of(m, 0), -infinity);
         })},
        {"strict_mask", masked([](const Variable& s, const Mask& m) {
             const BoolTensor blocked = m.blocked();
             if (!blocked.any()) return s;
             const std::int64_t T = s.dim(-2);  // for as many queries as keys
             return masked_fill(s, blocked | (tensor::eye(T) == 1), -infinity);
         })},
        {"mask_if_square", masked([](const Variable& s, const Mask& m) {
             return s.dim(-1) == s.dim(-2) ? shut(s, m) : s;
         })},
        {"causal_only", masked([](const Variable& s, const Mask&) {
             return shut(s, Mask::causal(s.dim(-2), s.dim(-1)));
         })},
        {"causal_too", masked([](const Variable& s, const Mask& m) {
             return s.dim(-2) == s.dim(-1) ? shut(s, m & Mask::causal(s.dim(-1))) : shut(s, m);
         })},
        {"no_mask", masked([](const Variable& s, const Mask&) { return s; })},
        {"multiplied_after",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return mixed(shut(softmax(scores_of(Q, K), -1), mask, 0), V);
         }},
        {"blind_sees_all", masked([](const Variable& s, const Mask& m) {
             const Variable open = shut(s, m);
             const BoolTensor blind = tensor::max(open.value(), -1, keepdim) == -infinity;
             return where(blind, Variable(s), open);
         })},
        {"blind_mean",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable open = shut(scores_of(Q, K), mask);
             const BoolTensor blind = tensor::max(open.value(), -1, keepdim) == -infinity;
             return mixed(softmax(masked_fill(open, blind, 0), -1), V);
         }},
        {"blind_weights_0_output_not",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable weights = softmax(shut(scores_of(Q, K), mask, -1e30), -1);
             return exercise::WeightsAndOutput{shut(weights, mask, 0), matmul(weights, V)};
         }},
    };
}

inline std::vector<OwnAnswer> wrong_gradients_and_sizes() {
    return {
        {"root_of_d_v",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(V.dim(-1)));
             return mixed(softmax(shut(s, mask), -1), V);
         }},
        {"root_of_first_d_k",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             static const double root = std::sqrt(static_cast<double>(K.dim(-1)));
             return mixed(softmax(shut(matmul(Q, transpose(K)) / root, mask), -1), V);
         }},
        {"no_scale",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return mixed(softmax(shut(matmul(Q, transpose(K)), mask), -1), V);
         }},
        {"detached_keys", [](const Variable& Q, const Variable& K, const Variable& V,
                             const Mask& mask) { return right(Q, K.detach(), V, mask); }},
        {"detached_queries", [](const Variable& Q, const Variable& K, const Variable& V,
                                const Mask& mask) { return right(Q.detach(), K, V, mask); }},
        {"detached_values", [](const Variable& Q, const Variable& K, const Variable& V,
                               const Mask& mask) { return right(Q, K, V.detach(), mask); }},
        {"detached_weights",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return mixed(right(Q, K, V, mask).weights.detach(), V);
         }},
        {"no_gradient",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return right(Q.detach(), K.detach(), V.detach(), mask);
         }},
        {"scale_without_gradient",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = matmul(Q, transpose(K));
             const Variable scaled = s + (scores_of(Q, K) - s).detach();
             return mixed(softmax(shut(scaled, mask), -1), V);
         }},
        {"maximum_with_gradient",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = shut(scores_of(Q, K), mask);
             const Variable most = max(s, -1, keepdim);
             const Variable shift = masked_fill(most, most.value() == -infinity, 0);
             const Variable e = exp(s.detach() - shift);
             return mixed(normed(e), V);
         }},
        {"values_of_first_text",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable weights = right(Q, K, V, mask).weights;
             const Variable same = expand(slice(V, 0, 0, 1), Dims(V.shape()));
             return mixed(weights, V.rank() > 3 ? same : V);
         }},
        {"keys_of_first_head",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             if (K.rank() < 4) return right(Q, K, V, mask);
             return right(Q, expand(slice(K, 1, 0, 1), Dims(K.shape())), V, mask);
         }},
        {"as_many_keys_as_queries",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const BoolTensor late =
                 tensor::triu(tensor::ones({K.dim(-2), K.dim(-2)}), Q.dim(-2)) == 1;
             const BoolTensor first_row =
                 tensor::contiguous(tensor::slice(tensor::where(late, 1, 0), 0, 0, 1)) == 1;
             const Variable s = masked_fill(scores_of(Q, K), first_row, -infinity);
             return mixed(softmax(shut(s, mask), -1), V);
         }},
        {"softmax_over_queries",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return mixed(softmax(shut(scores_of(Q, K), mask), -2), V);
         }},
        {"weights_without_mask",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             return exercise::WeightsAndOutput{softmax(scores_of(Q, K), -1),
                                               right(Q, K, V, mask).output};
         }},
        {"keys_of_first_call",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             static Variable kept;
             if (kept.shape() != K.shape()) kept = K;
             return right(Q, kept, V, mask);
         }},
        {"one_query_sees_all",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             if (Q.dim(-2) > 1) return right(Q, K, V, mask);
             return mixed(softmax(scores_of(Q, K), -1), V);
         }},
    };
}

}  // namespace own_answers
