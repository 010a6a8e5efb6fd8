// Attention: each query gets a weighted sum of the values; the better a key matches the query, the
// larger the weight of its value.
#pragma once

#include "../../autograd/ops/attention.h"
#include "../../autograd/variable.h"
#include "../../tensor/mask.h"
#include "scores.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

class Dropout;

struct Attention {
    Variable output;   // [..., T_q, d_v]
    Variable weights;  // [..., T_q, T_k], each row sums to 1; empty if they are not needed
};

// For `need_weights`, as in PyTorch: only the output is needed. Scaled dot-product attention then
// goes over the keys in tiles and never stores the weights (autograd/ops/attention.h), which is
// faster and needs memory for T_q + T_k rows instead of T_q·T_k weights. Up to 384 keys this
// changes no bit; above, only the last bits of the output and the gradients. So above 384 keys,
// requesting weights or recording may change the last bits, too. The form below, with scores and
// weights to look at, is still used if there are at most 384 keys and T_q·T_k is at most 1024, a
// RecordAttention is open, dropout draws, the temperature is not 1, another score is used, K or V
// has fewer or more axes than Q, or V has a larger batch. With the plain kernels the derivative is
// computed step by step and stores the weights, so that one can step through it.
enum class NeedWeights { no, yes };  // what is not yes is no
inline constexpr NeedWeights no_weights = NeedWeights::no;

// The three attention functions below: Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v]; the
// axes before the last two (batch, heads) are broadcast, and the mask is broadcast over them.
// A query that may attend to nothing has weights, output and gradient 0 (PyTorch: NaN).
// A blocked key gets weight 0, but its value is still multiplied by it: values must be finite.
// A user-supplied function can replace them: nn/attention/own_attention.h.
// Errors (ShapeError): rank below 2; d_k of Q and K or T_k of K and V differ; d_k is 0 (scaled);
// leading axes do not broadcast; the mask does not broadcast to the scores [..., T_q, T_k].

// softmax(Q·Kᵀ/√d_k)·V (Vaswani et al. 2017, "Attention Is All You Need", equation 1). Models
// change its scores, with `changes` (autograd/ops/attention.h): a bias, another scale, a soft cap.
// Also errors: a bias that does not broadcast to the scores (ShapeError), a scale that is not
// finite, a soft cap that is not positive and finite (std::invalid_argument).
Attention scaled_dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                       const std::optional<Mask>& mask = std::nullopt,
                                       NeedWeights need_weights = NeedWeights::yes,
                                       const Dropout* dropout = nullptr,
                                       const ScoreOptions& changes = {},
                                       CallSite site = CallSite::here());

// softmax(Q·Kᵀ)·V (Luong et al. 2015, "dot"; the first form in note 001).
Attention dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                const std::optional<Mask>& mask = std::nullopt,
                                CallSite site = CallSite::here());

// The scores with -∞ where the mask blocks, so that these weights become 0; without a mask, the
// scores unchanged. Error: the mask does not broadcast to the scores [..., T_q, T_k] (ShapeError).
Variable apply_mask(const Variable& scores, const std::optional<Mask>& mask,
                    CallSite site = CallSite::here());

struct AttendOptions {
    std::optional<Mask> mask = {};
    // The scores are divided by it: above 1 the weights become more uniform, below 1 sharper. 0 is
    // a hard lookup: all weight is on the largest score, ties share it, and the scores get no
    // gradient.
    double temperature = 1;
    const Dropout* dropout = nullptr;  // applied to the weights that make the output
    NeedWeights need_weights = NeedWeights::yes;
};

// softmax(score(Q, K) / temperature)·V, with any score (nn/attention/scores.h), which determines
// what the last axes of Q and K must be. The returned weights are those before dropout.
// Also an error: the temperature is below 0 or not finite (std::invalid_argument).
Attention attend(const Score& score, const Variable& Q, const Variable& K, const Variable& V,
                 const AttendOptions& options = {}, CallSite site = CallSite::here());

}}  // namespace heed
