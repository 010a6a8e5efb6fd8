// TransformerEncoderLayer: self-attention, then feed-forward, each with a residual connection and a
// layer norm (Vaswani et al. 2017, section 3.1 and figure 1, left; notes 002 and 004).
#pragma once

#include "../attention/multi_head_attention.h"
#include "../layer_norm.h"
#include "transformer_options.h"

namespace heed { inline namespace HEED_PRECISION {

struct TransformerEncoderLayer : Module {
    // Initializes the attention, then the feed-forward layer. Errors: those of MultiHeadAttention,
    // FeedForward and LayerNorm.
    TransformerEncoderLayer(std::int64_t d_model, std::int64_t num_heads, std::int64_t d_hidden,
                            Random& random, const TransformerOptions& options = {},
                            CallSite site = CallSite::here());

    // X [..., T, d_model] -> [..., T, d_model]; the mask as for attention layers
    // (nn/attention/attention_layer.h): Mask::padding(lengths, T) for a batch of sentences.
    // Errors: those of its parts (ShapeError).
    Variable operator()(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    Variable operator()(const Variable& X, CallSite site) const;  // the form Sequential calls
    void members(MemberVisitor& visit) override;
    std::string details() const override;
    // Also accepts the state of PyTorch's nn.TransformerEncoderLayer.
    std::string adopt(StateDict& state, const std::string& prefix) const override;

    NormPlace norm;
    MultiHeadAttention self_attn;
    FeedForward feed_forward;
    LayerNorm norm1, norm2;
    Dropout dropout1, dropout2;  // on what attention and feed-forward add to the residual stream
};

}}  // namespace heed
