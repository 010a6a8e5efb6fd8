#include "transformer.h"

#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "../recomputed.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
LayerNorm last_norm(std::int64_t d_model, const TransformerOptions& options, const CallSite& site) {
    return LayerNorm(d_model, {.eps = options.layer_norm_eps, .bias = options.bias}, site);
}

using MaybeMask = std::optional<Mask>;

Variable recomputed(const TransformerEncoderLayer& block, const Variable& X, const MaybeMask& mask,
                    const CallSite& site) {
    return heed::recomputed(
        block, {X},
        [&block, mask, site](const std::vector<Variable>& in) { return block(in[0], mask, site); },
        site);
}

Variable recomputed(const TransformerDecoderLayer& block, const Variable& Y, const Variable& memory,
                    const MaybeMask& mask, const MaybeMask& memory_mask, const CallSite& site) {
    return heed::recomputed(
        block, {Y, memory},
        [&block, mask, memory_mask, site](const std::vector<Variable>& in) {
            return block(in[0], in[1], mask, memory_mask, site);
        },
        site);
}

// Both numbers, before the encoder draws its weights.
const TransformerSizes& checked(const TransformerSizes& sizes, const CallSite& site) {
    check_number_of("TransformerEncoder", "num_layers", sizes.num_encoder_layers, site);
    check_number_of("TransformerDecoder", "num_layers", sizes.num_decoder_layers, site);
    return sizes;
}

}  // namespace

TransformerEncoder::TransformerEncoder(std::int64_t num_layers, std::int64_t d_model,
                                       std::int64_t num_heads, std::int64_t d_hidden,
                                       Random& random, const TransformerOptions& options,
                                       FinalNorm final_norm, CallSite site)
    : recompute(options.recompute) {
    check_number_of("TransformerEncoder", "num_layers", num_layers, site);
    check_enum("TransformerEncoder", "final_norm", final_norm, FinalNorm::yes, site);
    layers.reserve(static_cast<std::size_t>(num_layers));
    for (std::int64_t i = 0; i < num_layers; ++i) {
        layers.emplace_back(d_model, num_heads, d_hidden, random, options, site);
    }
    if (final_norm == FinalNorm::yes) norm = last_norm(d_model, options, site);
}

Variable TransformerEncoder::operator()(const Variable& X, const std::optional<Mask>& mask,
                                        CallSite site) const {
    check_not_empty("TransformerEncoder", "layers", layers, "stack", site);
    const Running layer(*this, "TransformerEncoder", {&X}, site);
    Variable x = X;  // [..., T, d_model]
    if (recompute) {
        for (const TransformerEncoderLayer& block : layers) x = recomputed(block, x, mask, site);
    } else {
        for (const TransformerEncoderLayer& block : layers) x = block(x, mask, site);
    }
    if (norm) x = (*norm)(x);
    return layer.gives(x);
}

Variable TransformerEncoder::operator()(const Variable& X, CallSite site) const {
    return (*this)(X, std::nullopt, site);
}

TransformerDecoder::TransformerDecoder(std::int64_t num_layers, std::int64_t d_model,
                                       std::int64_t num_heads, std::int64_t d_hidden,
                                       Random& random, const TransformerOptions& options,
                                       FinalNorm final_norm, CallSite site)
    : recompute(options.recompute) {
    check_number_of("TransformerDecoder", "num_layers", num_layers, site);
    check_enum("TransformerDecoder", "final_norm", final_norm, FinalNorm::yes, site);
    layers.reserve(static_cast<std::size_t>(num_layers));
    for (std::int64_t i = 0; i < num_layers; ++i) {
        layers.emplace_back(d_model, num_heads, d_hidden, random, options, site);
    }
    if (final_norm == FinalNorm::yes) norm = last_norm(d_model, options, site);
}

Variable TransformerDecoder::operator()(const Variable& Y, const Variable& memory,
                                        const std::optional<Mask>& mask,
                                        const std::optional<Mask>& memory_mask,
                                        CallSite site) const {
    check_not_empty("TransformerDecoder", "layers", layers, "stack", site);
    const Running layer(*this, "TransformerDecoder", {&Y, &memory}, site);
    Variable y = Y;  // [..., T, d_model]
    for (const TransformerDecoderLayer& block : layers) {
        y = recompute ? recomputed(block, y, memory, mask, memory_mask, site)
                      : block(y, memory, mask, memory_mask, site);
    }
    if (norm) y = (*norm)(y);
    return layer.gives(y);
}

Variable TransformerDecoder::with_past(const Variable& Y, std::vector<DecoderCache>& caches,
                                       const std::optional<Mask>& mask,
                                       const std::optional<Mask>& memory_mask,
                                       CallSite site) const {
    if (caches.size() != layers.size()) {
        fail_argument("TransformerDecoder", site, "there are ", caches.size(), " caches for ",
                      layers.size(), " layers; make them with begin(memory)");
    }
    check_not_empty("TransformerDecoder", "layers", layers, "stack", site);
    const Running layer(*this, "TransformerDecoder", {&Y}, site);
    std::vector<DecoderCache> longer = caches;
    Variable y = Y;  // [..., T, d_model]
    for (std::size_t i = 0; i < layers.size(); ++i) {
        y = layers[i].with_past(y, longer[i], mask, memory_mask, site);
    }
    if (norm) y = (*norm)(y);
    const Variable given = layer.gives(y);
    caches = std::move(longer);
    return given;
}

std::vector<DecoderCache> TransformerDecoder::begin(const Variable& memory, CallSite site) const {
    check_not_empty("TransformerDecoder", "layers", layers, "stack", site);
    const LayerScope scope(*this, "TransformerDecoder", site);
    std::vector<DecoderCache> caches;
    for (const TransformerDecoderLayer& layer : layers) caches.push_back(layer.begin(memory, site));
    return caches;
}

Transformer::Transformer(const TransformerSizes& sizes, Random& random,
                         const TransformerOptions& options, CallSite site)
    : encoder(checked(sizes, site).num_encoder_layers, sizes.d_model, sizes.num_heads,
              sizes.d_hidden, random, options, FinalNorm::yes, site),
      decoder(sizes.num_decoder_layers, sizes.d_model, sizes.num_heads, sizes.d_hidden, random,
              options, FinalNorm::yes, site) {}

Variable Transformer::operator()(const Variable& X, const Variable& Y,
                                 const TransformerMasks& masks, CallSite site) const {
    const Running layer(*this, "Transformer", {&X, &Y}, site);
    const Variable memory = encoder(X, masks.source, site);  // [..., T_k, d_model]
    const Variable output =
        decoder(Y, memory, masks.target, masks.memory, site);  // [..., T, d_model]
    return layer.gives(output);
}

}}  // namespace heed
