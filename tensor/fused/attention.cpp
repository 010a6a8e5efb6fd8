#include "attention.h"

#include "../errors.h"
#include "attention_heads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
void check(const Tensor& Q, const Tensor& K, const Tensor& V, const CallSite& site) {
    const Tensor* const operands[] = {&Q, &K, &V};
    const char* const letters[] = {"Q", "K", "V"};
    for (int i = 0; i < 3; ++i) {
        if (operands[i]->rank() >= 2) continue;
        fail_shape("fused_attention", site, letters[i], " has shape ", operands[i]->shape(),
                   "; it must end in two axes, positions and features");
    }
    if (Q.dim(-1) != K.dim(-1) || Q.dim(-1) == 0) {
        fail_shape("fused_attention", site, "Q has shape ", Q.shape(), " and K ", K.shape(),
                   "; their last axes must both be d_k, which is at least 1");
    }
    if (K.dim(-2) != V.dim(-2)) {
        fail_shape("fused_attention", site, "K has shape ", K.shape(), " and V ", V.shape(),
                   "; their second-to-last axes must both be T_k, since each key has one value");
    }
}

void check_broadcasts(const char* what, const Shape& shape, const Shape& scores,
                      const CallSite& site) {
    if (broadcasts_to(shape, scores)) return;
    fail_shape("fused_attention", site, "the ", what, " has shape ", shape,
               ", but the scores [..., T_q, T_k] have ", scores, "; the ", what,
               " must broadcast to the scores");
}

// Uninitialised, in the memory order of x: heads sliced from one matrix give results that lie in
// one matrix, too.
Tensor empty_like(const Tensor& x, const Shape& shape, const CallSite& site) {
    std::vector<std::int64_t> order, lengths, back(static_cast<std::size_t>(shape.rank()));
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (x.rank() != shape.rank() || x.strides()[axis] == 0)
            return Tensor::uninitialized(shape, site);
        order.push_back(axis);
    }
    std::stable_sort(order.begin(), order.end() - 1, [&x](std::int64_t a, std::int64_t b) {
        return x.strides()[static_cast<int>(a)] > x.strides()[static_cast<int>(b)];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        lengths.push_back(shape[static_cast<int>(order[i])]);
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    return permute(Tensor::uninitialized(Shape(Dims(lengths)), site), back);
}

AttentionHeads checked(const Tensor& Q, const Tensor& K, const Tensor& V,
                       const std::optional<Mask>& mask, const ScoreOptions& options,
                       const CallSite& site) {
    check(Q, K, V, site);
    check_score_options("fused_attention", options.scale, options.soft_cap, site);
    const Shape of_scores = broadcast_shape(Q.shape().without_last(2), K.shape().without_last(2),
                                            "fused_attention", site);
    const Shape batch =
        broadcast_shape(of_scores, V.shape().without_last(2), "fused_attention", site);
    const Shape scores = of_scores.followed_by({Q.dim(-2), K.dim(-2)});
    if (mask) check_broadcasts("mask", mask->shape(), scores, site);
    if (options.bias) check_broadcasts("bias", options.bias->shape(), scores, site);
    return AttentionHeads(Q, K, V, mask, options, batch, site);
}

// For the copies that a kernel makes.
Tensor scratch_for(const AttentionHeads& heads, const CallSite& site) {
    return Tensor::uninitialized({kernels::attention_scratch(heads.d_k, heads.d_v)}, site);
}

// How many tasks of this many queries are worth waking a thread for.
std::int64_t at_a_time(const AttentionHeads& heads, std::int64_t queries) {
    const std::int64_t multiplications = queries * heads.T_k * (heads.d_k + heads.d_v);
    return std::max<std::int64_t>(500'000 / std::max<std::int64_t>(multiplications, 1), 1);
}

// The gradient [batch..., rows, d] of operand `x`, or an empty tensor.
Tensor gradient_of(const Tensor& x, const Shape& batch, bool wanted, const CallSite& site) {
    if (!wanted) return Tensor();
    return empty_like(x, batch.followed_by({x.dim(-2), x.dim(-1)}), site);
}

void check_gradient_shapes(const FusedAttention& forward, const Tensor& G, const Shape& of_output,
                           const CallSite& site) {
    if (!(G.shape() == of_output) || !(forward.output.shape() == of_output)) {
        fail_shape("fused_attention_gradients", site, "G has shape ", G.shape(), " and the output ",
                   forward.output.shape(), "; both must be [..., T_q, d_v], here ", of_output);
    }
    const Shape of_queries = of_output.without_last(1);
    if (!(forward.row_max.shape() == of_queries) || !(forward.row_sum.shape() == of_queries)) {
        fail_shape("fused_attention_gradients", site, "row_max has shape ", forward.row_max.shape(),
                   " and row_sum ", forward.row_sum.shape(), "; both must be [..., T_q], here ",
                   of_queries);
    }
}

}  // namespace

void check_score_options(const char* operation, std::optional<double> scale,
                         std::optional<double> soft_cap, const CallSite& site) {
    if (scale && !(*scale > -infinity && *scale < infinity)) {
        fail_argument(operation, site, "the scale is ", *scale, "; it must be finite");
    }
    const Scalar cap = static_cast<Scalar>(soft_cap.value_or(1));
    if (!(cap > 0 && cap < Scalar(infinity))) {
        fail_argument(operation, site, "the soft cap is ", *soft_cap,
                      "; it must be positive and finite",
                      *soft_cap > 0 && *soft_cap < infinity ? " in float" : "");
    }
}

double divisor_of(std::optional<double> scale, std::int64_t d_k) {
    if (!scale) return __builtin_sqrt(static_cast<double>(d_k));
    const double smallest = static_cast<double>(std::numeric_limits<Scalar>::denorm_min());
    return std::copysign(std::max(std::abs(1 / *scale), smallest), *scale);
}

FusedAttention fused_attention(const Tensor& Q, const Tensor& K, const Tensor& V,
                               const std::optional<Mask>& mask, const ScoreOptions& options,
                               CallSite site) {
    const AttentionHeads heads = checked(Q, K, V, mask, options, site);
    const Shape of_queries = heads.batch.followed_by(heads.T_q);
    FusedAttention result = {empty_like(Q, heads.batch.followed_by({heads.T_q, heads.d_v}), site),
                             Tensor::uninitialized(of_queries, site),
                             Tensor::uninitialized(of_queries, site)};
    const RowsOfHeads O(result.output, heads.batch);
    Scalar* const row_max = result.row_max.writable_data();
    Scalar* const row_sum = result.row_sum.writable_data();

    // Keys and values are copied for each group of queries, so groups are large.
    const std::int64_t group = 8 * kernels::query_block;
    const std::int64_t groups = (heads.T_q + group - 1) / group;
    const kernels::Table& kernel = kernels::active();
    const auto attend = [&](std::int64_t begin, std::int64_t end) {
        Tensor scratch = scratch_for(heads, site);
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t head = i / groups;
            const std::int64_t first = i % groups * group;
            const std::int64_t row = head * heads.T_q + first;
            const kernels::Rows rows = O.of(head);
            const kernels::AttentionTask task = {
                heads.of(head, first, std::min(first + group, heads.T_q), scratch.writable_data()),
                {rows.data + first * rows.row, rows.row},
                row_max + row,
                row_sum + row};
            kernel.attention(task);
        }
    };
    parallel_for(heads.batch.numel() * groups, at_a_time(heads, std::min(group, heads.T_q)),
                 attend);
    return result;
}

AttentionGradients fused_attention_gradients(const Tensor& Q, const Tensor& K, const Tensor& V,
                                             const std::optional<Mask>& mask,
                                             const FusedAttention& forward, const Tensor& G,
                                             const WhichGradients& which,
                                             const ScoreOptions& options, CallSite site) {
    const AttentionHeads heads = checked(Q, K, V, mask, options, site);
    const Shape& batch = heads.batch;
    const Shape of_output = batch.followed_by({heads.T_q, heads.d_v});
    check_gradient_shapes(forward, G, of_output, site);
    AttentionGradients gradients = {gradient_of(Q, batch, which.Q, site),
                                    gradient_of(K, batch, which.K, site),
                                    gradient_of(V, batch, which.V, site), Tensor()};
    if (which.bias) {
        const Shape of_scores = batch.followed_by({heads.T_q, heads.T_k});
        gradients.bias = Tensor::uninitialized(of_scores, site);
    }
    const RowsOfHeads dQ(gradients.Q, batch);
    const RowsOfHeads dK(gradients.K, batch);
    const RowsOfHeads dV(gradients.V, batch);
    const RowsOfHeads dB(gradients.bias, batch);
    // The kernels step from one entry of a row of the output to its neighbour in memory.
    const bool has_rows = forward.output.strides()[-1] == 1;
    const Tensor output = has_rows ? forward.output : contiguous(forward.output, site);
    const Tensor maxima = contiguous(forward.row_max, site);
    const Tensor sums = contiguous(forward.row_sum, site);
    const MatricesOfHeads O(output, batch), G_of(G, batch);
    const Scalar* const row_max = maxima.data();
    const Scalar* const row_sum = sums.data();

    const kernels::Table& kernel = kernels::active();
    const auto differentiate = [&](std::int64_t begin, std::int64_t end) {
        Tensor scratch = scratch_for(heads, site);
        for (std::int64_t head = begin; head < end; ++head) {
            const std::int64_t row = head * heads.T_q;
            const kernels::AttentionGradientTask task = {
                heads.of(head, 0, heads.T_q, scratch.writable_data()),
                O.of(head),
                row_max + row,
                row_sum + row,
                G_of.of(head),
                dQ.of(head),
                dK.of(head),
                dV.of(head),
                dB.of(head)};
            kernel.attention_gradients(task);
        }
    };
    parallel_for(batch.numel(), at_a_time(heads, heads.T_q), differentiate);
    return gradients;
}

}}}  // namespace heed::tensor
