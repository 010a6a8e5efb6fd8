// Stacks of transformer layers: an encoder, a decoder, and both together (Vaswani et al. 2017,
// figure 1, without embeddings and the final softmax). Names of members are PyTorch's.
#pragma once

#include "transformer_layers.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A final norm, after all layers: needed with NormPlace::before, which leaves the residual stream
// unnormalized.
enum class FinalNorm { no, yes };

struct TransformerEncoder : Module {
    // Errors: no layers, or more than a million (std::invalid_argument); those of
    // TransformerEncoderLayer.
    TransformerEncoder(std::int64_t num_layers, std::int64_t d_model, std::int64_t num_heads,
                       std::int64_t d_hidden, Random& random,
                       const TransformerOptions& options = {}, FinalNorm final_norm = FinalNorm::no,
                       CallSite site = CallSite::here());

    // X [..., T, d_model] -> [..., T, d_model], with the same mask in every layer.
    Variable operator()(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    Variable operator()(const Variable& X, CallSite site) const;
    void members(MemberVisitor& visit) override {
        visit("layers", layers);
        visit("norm", norm);
    }

    bool recompute = false;  // each layer in the backward pass (nn/recomputed.h)
    std::vector<TransformerEncoderLayer> layers;
    std::optional<LayerNorm> norm;
};

struct TransformerDecoder : Module {
    // Errors: no layers, or more than a million (std::invalid_argument); those of
    // TransformerDecoderLayer.
    TransformerDecoder(std::int64_t num_layers, std::int64_t d_model, std::int64_t num_heads,
                       std::int64_t d_hidden, Random& random,
                       const TransformerOptions& options = {}, FinalNorm final_norm = FinalNorm::no,
                       CallSite site = CallSite::here());

    // Y [..., T, d_model] and memory [..., T_k, d_model] -> [..., T, d_model]; masks as for
    // TransformerDecoderLayer.
    Variable operator()(const Variable& Y, const Variable& memory,
                        const std::optional<Mask>& mask = std::nullopt,
                        const std::optional<Mask>& memory_mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    // The same for tokens that follow those in the caches, one for each layer, made by begin().
    // Error: a different number of caches (std::invalid_argument).
    Variable with_past(const Variable& Y, std::vector<DecoderCache>& caches,
                       const std::optional<Mask>& mask = std::nullopt,
                       const std::optional<Mask>& memory_mask = std::nullopt,
                       CallSite site = CallSite::here()) const;
    std::vector<DecoderCache> begin(const Variable& memory, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("layers", layers);
        visit("norm", norm);
    }

    bool recompute = false;  // each layer in the backward pass (nn/recomputed.h)
    std::vector<TransformerDecoderLayer> layers;
    std::optional<LayerNorm> norm;
};

struct TransformerSizes {
    std::int64_t d_model = 512;
    std::int64_t num_heads = 8;
    std::int64_t num_encoder_layers = 6;
    std::int64_t num_decoder_layers = 6;
    std::int64_t d_hidden = 2048;
};

struct TransformerMasks {
    std::optional<Mask> source = {};  // encoder self-attention: Mask::padding
    std::optional<Mask> target = {};  // decoder self-attention: Mask::causal
    std::optional<Mask> memory = {};  // cross-attention: usually the source mask
};

// Encoder and decoder, each with a final norm, as in PyTorch's nn.Transformer.
struct Transformer : Module {
    Transformer(const TransformerSizes& sizes, Random& random,
                const TransformerOptions& options = {}, CallSite site = CallSite::here());

    // X [..., T_k, d_model], the source; Y [..., T, d_model], the target so far.
    Variable operator()(const Variable& X, const Variable& Y, const TransformerMasks& masks = {},
                        CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("encoder", encoder);
        visit("decoder", decoder);
    }

    TransformerEncoder encoder;
    TransformerDecoder decoder;
};

}}  // namespace heed
