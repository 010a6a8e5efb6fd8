#include "tests/nn/attention/attention_mistakes.h"

#include "nn/heed.h"

#include <cmath>

using namespace heed;

namespace mistakes {
namespace {
using Name = const std::string&;

Variable exp_over_sum(const Variable& scores, const Tensor& shift, const Dims& axes) {
    const Variable e = exp(scores - Variable(shift));
    return e / sum(e, axes, keepdim);
}

// The mask with the mistake; some mistakes are made in causal masks [T, T] only.
std::optional<Mask> wrong_mask(Name mistake, const std::optional<Mask>& mask) {
    if (!mask) return mask;
    const Tensor allowed = tensor::to_tensor(mask->allowed());
    if (mistake == "mask.absent") return {};
    if (mistake == "mask.inverted") return Mask::allowing(mask->blocked());
    if (mistake == "mask.pad-query-axis" && mask->shape().rank() > 2) {
        return Mask::allowing(tensor::transpose(allowed) > 0);
    }
    if (mask->shape().rank() != 2) return mask;
    const Tensor ones = tensor::ones(mask->shape());
    if (mistake == "mask.upper") return Mask::allowing(tensor::triu(ones) > 0);
    if (mistake == "mask.strict") return Mask::allowing(tensor::tril(ones, -1) > 0);
    if (mistake == "mask.plus1") return Mask::allowing(tensor::tril(ones, 1) > 0);
    return mask;
}

// Scores [B, h, T_q, T_k] masked wrongly: only for some entries of batch and heads, or for (b, h)
// with the mask of (h, b).
Variable wrongly_spread(Name mistake, const Variable& scores, const BoolTensor& blocked) {
    const Shape& shape = scores.shape();
    const Tensor full = tensor::to_tensor(blocked) + tensor::zeros(shape);
    const std::int64_t entries = shape.dim(0) * shape.dim(1);
    const Tensor flat = tensor::reshape(full, {entries, shape.dim(2), shape.dim(3)});
    Tensor wrong;
    if (mistake == "mask.one-head") {
        wrong = tensor::embed_slice(tensor::slice(flat, 0, 0, 1), flat.shape(), 0, 0, 1);
    } else {
        std::vector<std::int64_t> order;
        for (std::int64_t i = 0; i < entries; ++i) {
            order.push_back(i % shape.dim(0) * shape.dim(1));
        }
        wrong = tensor::index_select(flat, 0, IndexTensor(order));
    }
    return masked_fill(scores, tensor::reshape(wrong, shape) > 0, -infinity);
}

Variable wrongly_masked(Name mistake, const Variable& scores, const std::optional<Mask>& given) {
    const std::optional<Mask> mask = wrong_mask(mistake, given);
    static BoolTensor blocked_ever;  // a mask that every call adds to
    if (mistake == "mask.inplace" && scores.rank() == 2) {
        const BoolTensor now = mask ? mask->blocked() : BoolTensor::full(scores.shape(), false);
        blocked_ever = blocked_ever.shape() == now.shape() ? blocked_ever | now : now;
        return masked_fill(scores, blocked_ever, -infinity);
    }
    if (!mask) return scores;
    const BoolTensor blocked = mask->blocked();
    if (mistake.rfind("mask.after", 0) == 0) return scores;
    if (mistake == "mask.fill0") return masked_fill(scores, blocked, 0);
    if (mistake == "mask.fill-1") return masked_fill(scores, blocked, -1);
    if (mistake == "mask.fill-1e-9") return masked_fill(scores, blocked, -1e-9);
    if (mistake == "mask.mul-inf") {
        return scores + Variable(tensor::to_tensor(blocked) * -infinity);
    }
    if (scores.rank() == 4 && (mistake == "mask.one-head" || mistake == "mask.head-batch-order")) {
        return wrongly_spread(mistake, scores, blocked);
    }
    return masked_fill(scores, blocked, -infinity);
}

double divisor(Name mistake, const Variable& Q, const Variable& K) {
    const double d_k = static_cast<double>(K.dim(-1));
    if (mistake == "att.no-scale" || mistake == "att.scale-after") return 1;
    if (mistake == "att.scale-dk") return d_k;
    if (mistake == "att.scale-mul") return 1 / std::sqrt(d_k);
    if (mistake == "att.scale-T") return std::sqrt(static_cast<double>(Q.dim(-2)));
    return std::sqrt(d_k);
}

Variable wrong_scores(Name mistake, const Variable& Q, const Variable& K, const Variable& V) {
    const Variable& left = mistake == "att.q-from-keys" ? K : Q;
    const Variable& right = mistake == "att.keys-from-queries"  ? Q
                            : mistake == "att.keys-from-values" ? V
                                                                : K;
    if (mistake == "att.kq") return matmul(K, transpose(Q)) / divisor(mistake, Q, K);
    if (mistake == "att.int-div") {
        const int scale = static_cast<int>(1 / divisor("", Q, K));
        return matmul(Q, transpose(K)) * scale;
    }
    return matmul(left, transpose(right)) / divisor(mistake, Q, K);
}

}  // namespace

Variable wrong_softmax(Name mistake, const Variable& scores) {
    const Tensor& x = scores.value();
    const Tensor largest = tensor::max(x, -1, keepdim);
    if (mistake == "sm.cols") return softmax(scores, -2);
    if (mistake == "sm.all") return exp_over_sum(scores, tensor::zeros({1}), {-2, -1});
    if (mistake == "sm.none") return scores;
    if (mistake == "sm.exp-only") return exp(scores - Variable(largest));
    if (mistake == "sm.sum-norm") return scores / sum(scores, -1, keepdim);
    if (mistake == "sm.twice") return softmax(softmax(scores, -1), -1);
    if (mistake == "sm.no-max") return exp_over_sum(scores, tensor::zeros({1}), -1);
    if (mistake == "sm.global-max") return exp_over_sum(scores, tensor::max(x), -1);
    if (mistake == "sm.max-after") {
        const Variable e = exp(scores);
        const Variable shifted = e - Variable(tensor::max(e.value(), -1, keepdim));
        return shifted / sum(e, -1, keepdim);
    }
    if (mistake == "sm.log-mix") return log_softmax(scores, -1);
    return softmax(scores, -1);
}

Attention wrong_attention(Name mistake, const Variable& Q, const Variable& K, const Variable& V,
                          const std::optional<Mask>& mask) {
    const Variable scores = wrong_scores(mistake, Q, K, V);
    const Variable allowed = wrongly_masked(mistake, scores, mask);
    Variable weights = wrong_softmax(mistake, allowed);
    if (mistake == "att.scale-after") {
        weights = weights / std::sqrt(static_cast<double>(K.dim(-1)));
    }
    if (mask && mistake == "mask.after") weights = masked_fill(weights, mask->blocked(), 0);
    if (mask && mistake == "mask.after-1e9") weights = masked_fill(weights, mask->blocked(), -1e9);
    if (mask && mistake == "mask.after-inf") {
        weights = masked_fill(weights, mask->blocked(), -infinity);
    }
    if (mistake == "att.weights-T") return Attention{matmul(transpose(weights), V), weights};
    const Variable& values = mistake == "att.values-from-keys" ? K : V;
    return Attention{matmul(weights, values), weights};
}

const std::vector<std::string>& of_softmax() {
    static const std::vector<std::string> names{
        "sm.cols",  "sm.all",    "sm.none",       "sm.exp-only",  "sm.sum-norm",
        "sm.twice", "sm.no-max", "sm.global-max", "sm.max-after", "sm.log-mix"};
    return names;
}

const std::vector<std::string>& of_attention() {
    static const std::vector<std::string> names{"att.no-scale",         "att.scale-dk",
                                                "att.scale-mul",        "att.scale-T",
                                                "att.scale-after",      "att.keys-from-queries",
                                                "att.q-from-keys",      "att.kq",
                                                "att.keys-from-values", "att.values-from-keys",
                                                "att.weights-T",        "att.int-div",
                                                "mask.absent",          "mask.upper",
                                                "mask.strict",          "mask.plus1",
                                                "mask.fill0",           "mask.fill-1",
                                                "mask.fill-1e-9",       "mask.after",
                                                "mask.after-1e9",       "mask.after-inf",
                                                "mask.mul-inf",         "mask.inverted",
                                                "mask.one-head",        "mask.head-batch-order",
                                                "mask.pad-query-axis",  "mask.inplace"};
    return names;
}

}  // namespace mistakes
