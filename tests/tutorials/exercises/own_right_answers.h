// Right attentions that look unusual, for the lessons on one's own attention.
#pragma once

#include "own_wrong_answers.h"

namespace own_answers {

// The mask written out for every head of every text, as its contract in 08.3 allows.
inline exercise::WeightsAndOutput expanded_mask(const Variable& Q, const Variable& K,
                                                const Variable& V, const Mask& mask) {
    const std::int64_t B = Q.dim(0), h = Q.dim(1), T_q = Q.dim(2), T_k = K.dim(2);
    const Tensor open = tensor::where(mask.blocked(), 1, 0);
    const BoolTensor blocked = tensor::contiguous(tensor::expand(open, {B, h, T_q, T_k})) == 1;
    return mixed(softmax(masked_fill(scores_of(Q, K), blocked, -infinity), -1), V);
}

// One query after the other.
inline exercise::WeightsAndOutput query_by_query(const Variable& Q, const Variable& K,
                                                 const Variable& V, const Mask& mask) {
    const Variable scores = shut(scores_of(Q, K), mask);
    std::vector<Variable> weights, outputs;
    for (std::int64_t i = 0; i < Q.dim(2); ++i) {
        const Variable row = softmax(select(scores, 2, i), -1);  // [B, h, T]
        weights.push_back(row);
        outputs.push_back(squeeze(matmul(unsqueeze(row, 2), V), 2));  // [B, h, d_v]
    }
    return {stack(weights, 2), stack(outputs, 2)};
}
// Text by text, head by head, query by query, and the mask asked entry by entry.
inline exercise::WeightsAndOutput entry_by_entry(const Variable& Q, const Variable& K,
                                                 const Variable& V, const Mask& mask) {
    std::vector<Variable> weights, outputs;
    for (std::int64_t b = 0; b < Q.dim(0); ++b) {
        for (std::int64_t n = 0; n < Q.dim(1); ++n) {
            for (std::int64_t i = 0; i < Q.dim(2); ++i) {
                std::vector<bool> shut_keys;
                for (std::int64_t j = 0; j < K.dim(2); ++j) {
                    const std::int64_t head = mask.shape()[1] == 1 ? 0 : n;
                    shut_keys.push_back(!mask.allows({b, head, i, j}));
                }
                const Variable q = slice(select(select(Q, 0, b), 0, n), 0, i, i + 1);
                const Variable s = scores_of(q, select(select(K, 0, b), 0, n));  // [1, T]
                const BoolTensor blocked(shut_keys, {1, K.dim(2)});
                const Variable row = softmax(masked_fill(s, blocked, -infinity), -1);
                weights.push_back(row);
                outputs.push_back(matmul(row, select(select(V, 0, b), 0, n)));
            }
        }
    }
    const auto joined = [&](const std::vector<Variable>& rows) {
        return reshape(concatenate(rows, 0), Q.dim(0), Q.dim(1), Q.dim(2), rows[0].dim(-1));
    };
    return {joined(weights), joined(outputs)};
}

// With all axes by number, as for rank 4 only.
inline exercise::WeightsAndOutput by_number(const Variable& Q, const Variable& K, const Variable& V,
                                            const Mask& mask) {
    const double root = std::sqrt(static_cast<double>(K.dim(3)));
    const Variable scores = matmul(Q, permute(K, 0, 1, 3, 2)) / root;
    const Variable weights = softmax(masked_fill(scores, mask.blocked(), -infinity), 3);
    return {weights, matmul(weights, V)};
}

inline std::vector<OwnAnswer> right_answers() {
    return {
        {"expanded_mask", expanded_mask},
        {"query_by_query", query_by_query},
        {"entry_by_entry", entry_by_entry},
        {"by_number", by_number},
        {"mask_of_head_0",  // the exercise's masks have one head
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = masked_fill(scores_of(Q, K), first_of(mask, 1), -infinity);
             return mixed(softmax(s, -1), V);
         }},
        {"scale_in_q",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable q = Q / std::sqrt(static_cast<double>(Q.dim(-1)));
             return mixed(softmax(shut(matmul(q, transpose(K)), mask), -1), V);
         }},
        {"einsum",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const double root = std::sqrt(static_cast<double>(K.dim(-1)));
             const Variable s = einsum("bhik,bhjk->bhij", Q, K) / root;
             const Variable weights = softmax(shut(s, mask), -1);
             return exercise::WeightsAndOutput{weights, einsum("bhij,bhjv->bhiv", weights, V)};
         }},
        {"exp_by_hand",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = shut(scores_of(Q, K), mask);
             return mixed(normed(exp(s - Variable(largest_of(s)))), V);
         }},
        {"output_divided",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = shut(scores_of(Q, K), mask);
             const Variable e = exp(s - Variable(largest_of(s)));
             const Variable total = sum(e, -1, keepdim);
             const Variable divisor = masked_fill(total, total.value() == 0, 1);
             return exercise::WeightsAndOutput{e / divisor, matmul(e, V) / divisor};
         }},
        {"exp_of_log_softmax",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const double lowest = std::numeric_limits<Scalar>::lowest();
             const Variable s = shut(scores_of(Q, K), mask, lowest);
             return mixed(shut(exp(log_softmax(s, -1)), mask, 0), V);
         }},
        {"masked_after_and_divided",
         [](const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
             const Variable s = scores_of(Q, K);
             const Tensor most = largest_of(shut(s, mask));  // of those that may be seen
             const Variable e = exp(where(mask.blocked(), Variable(most), s) - Variable(most));
             return mixed(normed(shut(e, mask, 0)), V);
         }},
    };
}

}  // namespace own_answers
