#include "tutorials/exercises/judges/common_masked.h"

#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"
#include "tensor/shape.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

using namespace heed;

namespace exercise::masked_walk {

Variable products(const Variable& Q, const Variable& K, const Variable& V, const Slips& slip) {
    if (slip("att.kq")) return matmul(K, transpose(Q));
    if (slip("att.keys-from-queries")) return matmul(Q, transpose(Q));
    if (slip("att.q-from-keys")) return matmul(K, transpose(K));
    if (slip("att.keys-from-values")) return matmul(Q, transpose(V));
    return matmul(Q, transpose(K));
}

double scale(std::int64_t d_k, std::int64_t T_k, std::int64_t d_model, const Slips& slip) {
    const double d = static_cast<double>(d_k);
    if (slip("att.no-scale") || slip("att.scale-after")) return 1;
    if (slip("att.scale-dk")) return 1 / d;
    if (slip("att.scale-mul")) return std::sqrt(d);
    if (slip("att.scale-T")) return 1 / std::sqrt(static_cast<double>(T_k));
    if (slip("att.scale-dmodel")) return 1 / std::sqrt(static_cast<double>(d_model));
    if (slip("att.int-div")) return 0;
    return 1 / std::sqrt(d);
}

BoolTensor causal_blocked(std::int64_t T, const Slips& slip) {
    std::int64_t above = 1;
    if (slip("mask.absent")) above = T;
    if (slip("mask.strict")) above = 0;
    if (slip("mask.plus1")) above = 2;
    if (slip("mask.upper")) return tensor::tril(tensor::ones({T, T}), -1) == 1;
    return tensor::triu(tensor::ones({T, T}), above) == 1;
}

namespace {

// The first matrix of `changed`, the others of `as_was`.
Variable in_first(const Variable& changed, const Variable& as_was) {
    const Tensor ones = tensor::ones(changed.shape());
    const BoolTensor first = only_first(ones, tensor::zeros(changed.shape())) == 1;
    return where(first, changed, as_was);
}

Variable over_sum(const Variable& e) { return e / sum(e, -1, keepdim); }

// 0 for a row of only -∞.
Variable largest_of_rows(const Variable& x) {
    const Variable largest = max(x, -1, keepdim);
    return masked_fill(largest, largest.value() == -infinity, 0);
}

// A softmax whose sum counts as a constant; 0 for a row of only -∞.
Variable over_detached_sum(const Variable& x, const Variable& largest) {
    const Variable e = exp(x - largest);
    const Tensor total = tensor::sum(e.value(), -1, keepdim);
    return e / Variable(tensor::masked_fill(total, total == 0, 1));
}

Variable softmax_over_keys(const Variable& x, const Slips& slip) {
    if (slip("sm.cols")) return softmax(x, -2);
    if (slip("sm.none")) return x;
    if (slip("sm.exp-only")) return exp(x);
    if (slip("sm.sum-norm")) return x / sum(x, -1, keepdim);
    if (slip("sm.no-max")) return over_sum(exp(x));
    if (slip("sm.global-max")) return over_sum(exp(x - max(x)));
    if (slip("sm.all")) {
        const Variable e = exp(x - max(x));
        return e / sum(e);
    }
    if (slip("sm.detached-sum")) return over_detached_sum(x, largest_of_rows(x).detach());
    if (slip("sm.detached-sum-only")) return over_detached_sum(x, largest_of_rows(x));
    if (slip("sm.twice")) return softmax(softmax(x, -1), -1);
    if (slip("sm.log-mix")) return log_softmax(x, -1);
    if (slip("mha.softmax-heads")) return softmax(x, -3);
    return softmax(x, -1);
}

}  // namespace

Variable masked(const Variable& scores, const BoolTensor& blocked, const Slips& slip) {
    if (slip("mask.after") || slip("mask.after-inf")) return scores;
    double fill = -infinity;
    if (slip("mask.fill0")) fill = 0;
    if (slip("mask.fill-small")) fill = -1;
    if (slip("mask.fill-large")) fill = -1e9;
    Variable result = masked_fill(scores, blocked, fill);
    if (slip("mask.mul-inf")) {
        result = scores + Variable(tensor::to_tensor(blocked) * -infinity);
    }
    if (slip("mask.zero-score")) result = masked_fill(result, result.value() == 0, fill);
    if (slip("mask.one-head")) result = in_first(result, scores);
    return result;
}

Variable masked_weights(const Variable& scores, const BoolTensor& blocked, std::int64_t d_k,
                        const Slips& slip) {
    Variable weights = softmax_over_keys(scores, slip);
    if (slip("mask.after")) weights = masked_fill(weights, blocked, 0);
    if (slip("mask.after-inf")) weights = masked_fill(weights, blocked, -infinity);
    if (slip("att.scale-after")) weights = weights / std::sqrt(static_cast<double>(d_k));
    return weights;
}

Variable context(const Variable& weights, const Variable& K, const Variable& V, const Slips& slip) {
    const Variable& source = slip("att.values-from-keys") ? K : V;
    if (slip("att.weights-T")) return matmul(transpose(weights), source);
    if (slip("att.detached-weights")) return matmul(weights.detach(), source);
    return matmul(weights, source);
}

Variable side_by_side(const std::vector<Variable>& outputs) {
    std::vector<Variable> flat;
    for (const Variable& one : outputs) {
        flat.push_back(flatten(masked_fill(one, one.value() == -infinity, 0)));
    }
    return concatenate(flat, 0);
}

std::vector<Mistake> joined(std::initializer_list<std::vector<Mistake>> lists) {
    std::vector<Mistake> all;
    for (const std::vector<Mistake>& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

std::vector<Mistake> without(const std::vector<Mistake>& list,
                             std::initializer_list<std::string> ids) {
    std::vector<Mistake> kept;
    for (const Mistake& mistake : list) {
        if (std::find(ids.begin(), ids.end(), mistake.id) == ids.end()) kept.push_back(mistake);
    }
    return kept;
}

Tensor rows_before(const Tensor& x, std::int64_t row) { return tensor::slice(x, -2, 0, row); }

Tensor with_other_last_row(const Tensor& x) {
    const std::int64_t T = x.dim(-2);
    const Tensor other = tensor::slice(random(x.shape(), 987), -2, T - 1, T);
    return tensor::concatenate({rows_before(x, T - 1), other}, -2);
}

bool but_for_rounding(const Tensor& a, const Tensor& b) {
    return tensor::all_close(a, b, 1e-9, 1e-9);
}

std::string sums_finding(const Tensor& weights) {
    const Tensor sums = tensor::sum(weights, -1);
    const std::vector<Scalar> totals = sums.to_vector();
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (std::fabs(totals[i] - 1) <= 1e-6 || totals[i] == 0) continue;
        return "Row " + unravelled(static_cast<std::int64_t>(i), sums.shape()).text() +
               " sums to " + std::to_string(totals[i]) + ".";
    }
    return "";
}

namespace {

// Does `from` broadcast to the shape `to`?
bool fits(const Shape& from, const Shape& to) {
    if (from.rank() > to.rank()) return false;
    for (int axis = -from.rank(); axis < 0; ++axis) {
        if (from.dim(axis) != 1 && from.dim(axis) != to.dim(axis)) return false;
    }
    return true;
}

}  // namespace

std::string leak_finding(const Tensor& weights, const BoolTensor& blocked) {
    if (!fits(blocked.shape(), weights.shape())) return "";  // a case reports the wrong shape
    const BoolTensor leaks = (weights != 0) & blocked;
    for (std::int64_t i = 0; i < leaks.numel(); ++i) {
        if (leaks.data()[i] == 0) continue;
        const Dims place = unravelled(i, leaks.shape());
        std::ostringstream weight;
        weight << std::setprecision(2) << weights.at(place);
        return "The weight at " + place.text() + ", which is masked, is " + weight.str() +
               " and not 0.";
    }
    return "";
}

}  // namespace exercise::masked_walk
