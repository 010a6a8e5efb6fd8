// TransformerEncoderLayer and TransformerDecoderLayer: attention and feed-forward, each with a
// residual connection and a norm (Vaswani et al. 2017, section 3.1 and figure 1; notes 002
// and 004). Options and members have PyTorch's names.
#pragma once

#include "../attention/multi_head_attention.h"
#include "../norms.h"
#include "feed_forward.h"

namespace heed { inline namespace HEED_PRECISION {

// Where a block normalizes. With x the residual stream and f attention or feed-forward:
enum class NormPlace {
    after,  // x ← norm(x + f(x)): post-LN (Vaswani et al. 2017, section 3.1; note 004)
    before  // x ← x + f(norm(x)): pre-LN (Xiong et al. 2020; GPT-2; note 002)
};

struct TransformerOptions {
    NormPlace norm = NormPlace::after;
    Activation activation = Activation::relu;
    double dropout = 0;  // probability: on attention weights, in feed-forward, on both outputs
    double layer_norm_eps = 1e-5;
    bool bias = true;        // in projections, feed-forward and norms
    bool recompute = false;  // the layers of a stack, for less memory (nn/recomputed.h)
};

// Self-attention, then feed-forward (figure 1, left).
struct TransformerEncoderLayer : Module {
    // Initializes the attention, then the feed-forward layer. Errors: those of MultiHeadAttention,
    // FeedForward and the norm.
    TransformerEncoderLayer(std::int64_t d_model, std::int64_t num_heads, std::int64_t d_hidden,
                            Random& random, const TransformerOptions& options = {},
                            CallSite site = CallSite::here());

    // X [..., T, d_model] -> [..., T, d_model]; the mask as for attention layers
    // (nn/attention/attention_layer.h): Mask::padding(lengths, T) for a batch of sentences.
    // Errors: those of its parts (ShapeError).
    Variable operator()(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    Variable operator()(const Variable& X, CallSite site) const;  // the form Sequential calls
    void members(MemberVisitor& visit) override {
        visit("self_attn", self_attn);
        visit("feed_forward", feed_forward);
        visit("norm1", norm1);
        visit("norm2", norm2);
        visit("dropout1", dropout1);
        visit("dropout2", dropout2);
    }
    std::string details() const override;
    // Also accepts the state of PyTorch's nn.TransformerEncoderLayer.
    std::string adopt(StateDict& state, const std::string& prefix) const override;

    NormPlace norm;
    MultiHeadAttention self_attn;
    FeedForward feed_forward;
    LayerNorm norm1, norm2;
    Dropout dropout1, dropout2;  // on what attention and feed-forward add to the residual stream
};

// What a decoder layer keeps while it generates: its own keys and values so far, and those of the
// encoder's output, computed once.
struct DecoderCache {
    KeyValueCache past;
    KeyValueCache memory;
};

// Masked self-attention, then cross-attention to the encoder's output, then feed-forward (figure 1,
// right).
struct TransformerDecoderLayer : Module {
    // Initializes self-attention, cross-attention, feed-forward, in this order. Errors: those of
    // MultiHeadAttention, FeedForward and the norm.
    TransformerDecoderLayer(std::int64_t d_model, std::int64_t num_heads, std::int64_t d_hidden,
                            Random& random, const TransformerOptions& options = {},
                            CallSite site = CallSite::here());

    // Y [..., T, d_model], the tokens so far; memory [..., T_k, d_model], the encoder's output,
    // with as many axes; a batch of 1 is for all targets. `mask` is for self-attention:
    // Mask::causal(T) to predict the next token. `memory_mask` is for cross-attention:
    // Mask::padding(lengths, T_k). Errors: a memory without a batch for targets with one, or the
    // other way round (ShapeError); those of its parts (ShapeError).
    Variable operator()(const Variable& Y, const Variable& memory,
                        const std::optional<Mask>& mask = std::nullopt,
                        const std::optional<Mask>& memory_mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    // The same for tokens that follow those in the cache, which begin() made from the memory.
    Variable with_past(const Variable& Y, DecoderCache& cache,
                       const std::optional<Mask>& mask = std::nullopt,
                       const std::optional<Mask>& memory_mask = std::nullopt,
                       CallSite site = CallSite::here()) const;
    DecoderCache begin(const Variable& memory, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("self_attn", self_attn);
        visit("multihead_attn", multihead_attn);
        visit("feed_forward", feed_forward);
        visit("norm1", norm1);
        visit("norm2", norm2);
        visit("norm3", norm3);
        visit("dropout1", dropout1);
        visit("dropout2", dropout2);
        visit("dropout3", dropout3);
    }
    std::string details() const override;
    // Also accepts the state of PyTorch's nn.TransformerDecoderLayer.
    std::string adopt(StateDict& state, const std::string& prefix) const override;

    NormPlace norm;
    MultiHeadAttention self_attn;
    MultiHeadAttention multihead_attn;  // cross-attention; PyTorch's name
    FeedForward feed_forward;
    LayerNorm norm1, norm2, norm3;
    Dropout dropout1, dropout2, dropout3;

  private:
    template <class SelfAttention, class CrossAttention>
    Variable block(const Variable& Y, const SelfAttention& attend_to_self,
                   const CrossAttention& attend_to_memory, const CallSite& site) const;
};

}}  // namespace heed
