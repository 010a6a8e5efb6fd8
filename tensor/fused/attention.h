// Attention in one pass, which never holds the T_q·T_k weights: it goes over the keys in tiles, and
// needs memory for the output and two numbers for each query (Dao et al. 2022, "FlashAttention").
// Up to 256 keys all scores of a query are in one tile, and the bits are those of matmul, softmax
// and matmul, forward and backward, with two exceptions. Of a key behind the last one that a band
// of 24 queries may attend to, nothing is read or added: not even 0·∞ = NaN, nor the +0 that would
// turn an underflow to -0 into +0. And a score of +∞ makes its row NaN, where softmax has a limit.
// Of more keys the tiles' sums are scaled to a common maximum as it grows, which changes last bits:
// with entries of Q, K, V and G drawn from the standard normal distribution, output and gradients
// by less than 2e-6 (in float, up to T = 2048), while both forms are up to 9e-6 from the true
// values.
#pragma once

#include "../mask.h"
#include "../score_options.h"
#include "../tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

struct FusedAttention {
    Tensor output;   // [..., T_q, d_v]
    Tensor row_max;  // [..., T_q]: each query's largest score, -inf where it sees no key
    Tensor row_sum;  // [..., T_q]: Σ exp(score - row_max), 0 where it sees no key
};

// softmax(Q·Kᵀ/√d_k)·V with Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v]; the axes
// before the last two are broadcast, and so are the mask and the bias over them. A query that may
// attend to nothing gives 0. Keys behind the last one that a block of queries may attend to cost
// nothing. Errors: rank below 2; d_k of Q and K or T_k of K and V differ; d_k is 0; leading axes do
// not broadcast; the mask or the bias does not broadcast to the scores [..., T_q, T_k]
// (ShapeError); those of tensor::divisor_of.
FusedAttention fused_attention(const Tensor& Q, const Tensor& K, const Tensor& V,
                               const std::optional<Mask>& mask = std::nullopt,
                               const ScoreOptions& options = {}, CallSite site = CallSite::here());

// Those not asked for have no numbers; the others have all leading axes of the output, also those
// along which Q, K or V was broadcast.
struct AttentionGradients {
    Tensor Q, K, V, bias;
};

struct WhichGradients {
    bool Q = true, K = true, V = true;
    bool bias = false;  // needs memory for all T_q·T_k scores
};

// dL/dQ, dL/dK, dL/dV and dL/d(bias), where G = dL/d(output) and `forward` is what fused_attention
// gave. The weights are computed again. Errors: as above; G or forward.output is not [..., T_q,
// d_v], or forward.row_max or forward.row_sum not [..., T_q] (ShapeError).
AttentionGradients fused_attention_gradients(const Tensor& Q, const Tensor& K, const Tensor& V,
                                             const std::optional<Mask>& mask,
                                             const FusedAttention& forward, const Tensor& G,
                                             const WhichGradients& which = {},
                                             const ScoreOptions& options = {},
                                             CallSite site = CallSite::here());

}}}  // namespace heed::tensor
