// Attention in one pass, which never holds the T_q·T_k weights: it goes over the keys in tiles, and
// needs memory for the output and two numbers for each query (Dao et al. 2022, "FlashAttention").
// Up to 384 keys all scores of a query are in one tile, and the bits are those of matmul, softmax
// and matmul, forward and backward, with two exceptions. A key after the last one that a band of
// 24 queries may attend to is neither read nor added: not even 0·∞ = NaN, nor the +0 that would
// turn an underflow to -0 into +0. And a score of +∞ makes its row NaN, where softmax has a limit.
// The gradients have both exceptions, too, where they are computed in one pass and not by the
// formula (plain kernels, create_graph). With more keys the tiles' sums are scaled to a common
// maximum as it grows, which changes the last bits: with entries of Q, K, V and G drawn from the
// standard normal distribution, output and gradients by less than 4e-7 (in float, T = 500 to 2048),
// while both forms are up to 6e-7 from the true values. With more than 24,576 queries or keys the
// gradients have other last bits than those of their formula, whose products are then summed in
// pairs.
#pragma once

#include "../mask.h"
#include "../tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// What attention does to the products Q·Kᵀ besides dividing them by √d_k:
// score = cap(scale·q·k) + bias. The bias is a Tensor here and a Variable in autograd/.
template <class Bias>
struct ScoreOptionsWith {
    // Broadcasts to the scores [..., T_q, T_k]; added to them after the cap. In tiles, a gradient
    // of the bias needs memory for all scores.
    std::optional<Bias> bias = {};
    std::optional<double> scale = {};  // finite, may be 0 or negative; 1/√d_k if not given
    // c keeps scores between -c and c: c·tanh(x/c) (Gemma 2 2024, section 2). Positive and finite.
    std::optional<double> soft_cap = {};
};

namespace tensor {

using ScoreOptions = ScoreOptionsWith<Tensor>;

// Errors (std::invalid_argument): a scale that is not finite; a soft cap that is not positive and
// finite, even as a Scalar.
void check_score_options(const char* operation, std::optional<double> scale,
                         std::optional<double> soft_cap, const CallSite& site);

// The number that products are divided by: 1/scale, or √d_k if no scale is given. Never 0, even as
// a Scalar: in float, scales beyond 7e44 are clamped to that.
double divisor_of(std::optional<double> scale, std::int64_t d_k);

struct FusedAttention {
    Tensor output;   // [..., T_q, d_v]
    Tensor row_max;  // [..., T_q]: each query's largest score, -inf where it sees no key
    Tensor row_sum;  // [..., T_q]: Σ exp(score - row_max), 0 where it sees no key
};

// softmax(Q·Kᵀ/√d_k)·V with Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v]; the axes
// before the last two are broadcast, and so are the mask and the bias over them. A query that may
// attend to nothing gives 0. Keys after the last one that a block of queries may attend to cost
// nothing. Errors: rank below 2; d_k of Q and K or T_k of K and V differ; d_k is 0; leading axes do
// not broadcast; the mask or the bias does not broadcast to the scores [..., T_q, T_k]
// (ShapeError); those of check_score_options().
FusedAttention fused_attention(const Tensor& Q, const Tensor& K, const Tensor& V,
                               const std::optional<Mask>& mask = std::nullopt,
                               const ScoreOptions& options = {}, CallSite site = CallSite::here());

// Gradients not requested are empty; the others have all leading axes of the output, including
// those along which Q, K or V was broadcast.
struct AttentionGradients {
    Tensor Q, K, V, bias;
};

struct WhichGradients {
    bool Q = true, K = true, V = true;
    bool bias = false;  // needs memory for all T_q·T_k scores
};

// dL/dQ, dL/dK, dL/dV and dL/d(bias), where G = dL/d(output) and `forward` is what fused_attention
// returned. The weights are recomputed. Errors: as above; G or forward.output is not [..., T_q,
// d_v], or forward.row_max or forward.row_sum not [..., T_q] (ShapeError).
AttentionGradients fused_attention_gradients(const Tensor& Q, const Tensor& K, const Tensor& V,
                                             const std::optional<Mask>& mask,
                                             const FusedAttention& forward, const Tensor& G,
                                             const WhichGradients& which = {},
                                             const ScoreOptions& options = {},
                                             CallSite site = CallSite::here());

}  // namespace tensor
}}  // namespace heed
