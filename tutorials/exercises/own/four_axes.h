// Calls an attention as exercise 08.3 describes it, with Q, K [B, h, T, d_k], V [B, h, T, d_v] and
// a mask [B, 1, T_q, T_k], for what the library's attention takes: other leading axes, which are
// broadcast, and masks that are broadcast or differ from head to head.
#pragma once

#include "autograd/ops/views.h"
#include "nn/attention/attention.h"
#include "tensor/errors.h"
#include "tensor/ops/arithmetic.h"
#include "tutorials/exercises/judges/lesson_08.h"

namespace own_attention {

using namespace heed;

struct Axes {
    Shape scores;    // the axes before [T_q, T_k]: those of Q and K
    Shape all;       // with those of V
    std::int64_t B;  // `all` as texts and heads; heads with masks of their own count as texts
    std::int64_t h;
};

inline Mask with_axes(const Mask& mask, int rank) {
    Shape shape = mask.shape();
    while (shape.rank() < rank) shape = shape.inserted(0, 1);
    return Mask::allowing(mask.allowed().reshape(shape));
}

inline Axes axes_of(const Variable& Q, const Variable& K, const Variable& V, const Mask& mask) {
    const CallSite site = CallSite::here();
    const auto lead = [](const Variable& x) { return x.shape().without_last(2); };
    const Shape scores = broadcast_shape(lead(Q), lead(K), "own attention", site);
    const Shape all = broadcast_shape(scores, lead(V), "own attention", site);
    if (all.rank() < 2) return {scores, all, all.numel(), 1};
    const std::int64_t h = all[-1];
    const bool differs_by_head = with_axes(mask, all.rank() + 2).shape()[-3] != 1;
    if (differs_by_head || h == 0) return {scores, all, all.numel(), 1};
    return {scores, all, all.numel() / h, h};
}

inline Variable with_four_axes(const Variable& x, const Axes& axes) {
    const Shape whole = axes.all.followed_by({x.dim(-2), x.dim(-1)});
    const Variable broadcast = x.shape() == whole ? x : expand(x, whole);
    return reshape(broadcast, axes.B, axes.h, x.dim(-2), x.dim(-1));
}

inline Mask with_four_axes(const Mask& mask, const Axes& axes, std::int64_t T_q, std::int64_t T_k) {
    Shape whole = axes.all.followed_by({T_q, T_k});
    if (axes.h != 1) whole = whole.with(-3, 1);
    const BoolTensor broadcast = mask.allowed() & BoolTensor::full(whole, true);
    return Mask::allowing(broadcast.reshape({axes.B, 1, T_q, T_k}));
}

inline void check_shape(const char* what, const Variable& given, const Shape& expected) {
    if (given.shape() == expected) return;
    fail_shape("own attention", CallSite::here(), "your attention returned ", what, " of shape ",
               given.shape(), "; the shape must be ", expected);
}

// The weights depend on no axis that only V has.
inline Variable without_axes_of_V(const Variable& weights, const Axes& axes) {
    Variable w = weights;
    while (w.rank() > axes.scores.rank() + 2) w = select(w, 0, 0);
    for (int axis = 0; axis < axes.scores.rank(); ++axis) {
        if (axes.scores[axis] != w.dim(axis)) w = slice(w, axis, 0, 1);
    }
    return w;
}

inline Attention attend(const exercise::MaskedAttention& learners, const Variable& Q,
                        const Variable& K, const Variable& V, const std::optional<Mask>& mask) {
    const std::int64_t T_q = Q.dim(-2), T_k = K.dim(-2), d_v = V.dim(-1);
    const Mask given = mask ? *mask : Mask::all_allowed(T_q, T_k);
    const Axes axes = axes_of(Q, K, V, given);
    const exercise::WeightsAndOutput found =
        learners(with_four_axes(Q, axes), with_four_axes(K, axes), with_four_axes(V, axes),
                 with_four_axes(given, axes, T_q, T_k));
    check_shape("weights", found.weights, {axes.B, axes.h, T_q, T_k});
    check_shape("outputs", found.output, {axes.B, axes.h, T_q, d_v});
    const Variable weights = reshape(found.weights, axes.all.followed_by({T_q, T_k}));
    return {reshape(found.output, axes.all.followed_by({T_q, d_v})),
            without_axes_of_V(weights, axes)};
}

}  // namespace own_attention
