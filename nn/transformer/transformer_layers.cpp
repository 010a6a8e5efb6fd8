#include "transformer_layers.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
MultiHeadOptions attention_options(const TransformerOptions& options) {
    return {.bias = options.bias, .dropout = options.dropout};
}

LayerNormOptions norm_options(const TransformerOptions& options) {
    return {.eps = options.layer_norm_eps, .bias = options.bias};
}

FeedForwardOptions feed_forward_options(const TransformerOptions& options) {
    return {.activation = options.activation, .bias = options.bias, .dropout = options.dropout};
}

// What the parts would refuse, before the first of them draws its weights.
NormPlace checked(const char* layer, std::int64_t d_hidden, const TransformerOptions& options,
                  const CallSite& site) {
    check_enum(layer, "norm", options.norm, NormPlace::before, site);
    check_enum(layer, "activation", options.activation, Activation::silu, site);
    check_dropout(options.dropout, site);
    check_eps("LayerNorm", options.layer_norm_eps, site);
    check_sizes(layer, {{"d_hidden", d_hidden}}, site);
    return options.norm;
}

void check_memory_rank(const Variable& Y, int rank_of_memory, const Shape& memory, const char* what,
                       const CallSite& site) {
    if (Y.rank() == rank_of_memory) return;
    fail_shape(
        "TransformerDecoderLayer", site, what, " has shape ", memory, " and Y ", Y.shape(),
        "; memory must have as many axes as Y: give it a batch with unsqueeze(memory, 0), of "
        "length 1 for all targets");
}

const char* details_of(NormPlace norm) {
    return norm == NormPlace::before ? "norm before" : "norm after";
}

// linear1 and linear2 of PyTorch's layers are feed_forward.W_1 and W_2 here.
std::string adopt_feed_forward(StateDict& state, const std::string& prefix) {
    std::string problems;
    for (const char* part : {"weight", "bias"}) {
        problems +=
            rename(state, text(prefix, "linear1.", part), text(prefix, "feed_forward.W_1.", part));
        problems +=
            rename(state, text(prefix, "linear2.", part), text(prefix, "feed_forward.W_2.", part));
    }
    return problems;
}

}  // namespace

TransformerEncoderLayer::TransformerEncoderLayer(std::int64_t d_model, std::int64_t num_heads,
                                                 std::int64_t d_hidden, Random& random,
                                                 const TransformerOptions& options, CallSite site)
    : norm(checked("TransformerEncoderLayer", d_hidden, options, site)),
      self_attn(d_model, num_heads, random, attention_options(options), site),
      feed_forward(d_model, d_hidden, random, feed_forward_options(options), site),
      norm1(d_model, norm_options(options), site), norm2(d_model, norm_options(options), site),
      dropout1(options.dropout, random, site), dropout2(options.dropout, random, site) {}

Variable TransformerEncoderLayer::operator()(const Variable& X, const std::optional<Mask>& mask,
                                             CallSite site) const {
    check_enum("TransformerEncoderLayer", "norm", norm, NormPlace::before, site);
    const Running layer(*this, "TransformerEncoderLayer", {&X}, site);
    // The parts that first see X and the mask check them, so they name the caller's line.
    Variable x = X;  // [..., T, d_model]
    if (norm == NormPlace::before) {
        x = x + dropout1(self_attn(norm1(x, site), mask, site));
        x = x + dropout2(feed_forward(norm2(x)));
    } else {
        x = norm1(x + dropout1(self_attn(x, mask, site)));
        x = norm2(x + dropout2(feed_forward(x)));
    }
    return layer.gives(x);
}

Variable TransformerEncoderLayer::operator()(const Variable& X, CallSite site) const {
    return (*this)(X, std::nullopt, site);
}

std::string TransformerEncoderLayer::details() const { return details_of(norm); }

std::string TransformerEncoderLayer::adopt(StateDict& state, const std::string& prefix) const {
    return adopt_feed_forward(state, prefix);
}

TransformerDecoderLayer::TransformerDecoderLayer(std::int64_t d_model, std::int64_t num_heads,
                                                 std::int64_t d_hidden, Random& random,
                                                 const TransformerOptions& options, CallSite site)
    : norm(checked("TransformerDecoderLayer", d_hidden, options, site)),
      self_attn(d_model, num_heads, random, attention_options(options), site),
      multihead_attn(d_model, num_heads, random, attention_options(options), site),
      feed_forward(d_model, d_hidden, random, feed_forward_options(options), site),
      norm1(d_model, norm_options(options), site), norm2(d_model, norm_options(options), site),
      norm3(d_model, norm_options(options), site), dropout1(options.dropout, random, site),
      dropout2(options.dropout, random, site), dropout3(options.dropout, random, site) {}

template <class SelfAttention, class CrossAttention>
Variable TransformerDecoderLayer::block(const Variable& Y, const SelfAttention& attend_to_self,
                                        const CrossAttention& attend_to_memory,
                                        const CallSite& site) const {
    Variable y = Y;  // [..., T, d_model]
    if (norm == NormPlace::before) {
        y = y + dropout1(attend_to_self(norm1(y, site)));
        y = y + dropout2(attend_to_memory(norm2(y)));
        y = y + dropout3(feed_forward(norm3(y)));
    } else {
        y = norm1(y + dropout1(attend_to_self(y)));
        y = norm2(y + dropout2(attend_to_memory(y)));
        y = norm3(y + dropout3(feed_forward(y)));
    }
    return y;
}

Variable TransformerDecoderLayer::operator()(const Variable& Y, const Variable& memory,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Mask>& memory_mask,
                                             CallSite site) const {
    check_enum("TransformerDecoderLayer", "norm", norm, NormPlace::before, site);
    check_memory_rank(Y, memory.rank(), memory.shape(), "memory", site);
    const Running layer(*this, "TransformerDecoderLayer", {&Y, &memory}, site);
    const auto to_self = [&](const Variable& y) { return self_attn(y, mask, site); };
    const auto to_memory = [&](const Variable& y) {
        return multihead_attn(y, memory, memory_mask, site);
    };
    const Variable y = block(Y, to_self, to_memory, site);
    return layer.gives(y);
}

Variable TransformerDecoderLayer::with_past(const Variable& Y, DecoderCache& cache,
                                            const std::optional<Mask>& mask,
                                            const std::optional<Mask>& memory_mask,
                                            CallSite site) const {
    check_enum("TransformerDecoderLayer", "norm", norm, NormPlace::before, site);
    const Shape keys = cache.memory.all().K.shape();  // [..., h, T_k, d]
    if (keys.rank() > 2)
        check_memory_rank(Y, keys.rank() - 1, keys, "the memory in the cache, by heads,", site);
    const Running layer(*this, "TransformerDecoderLayer", {&Y}, site);
    const std::int64_t first = cache.past.length();
    KeyValueCache longer = cache.past;
    const auto to_self = [&](const Variable& y) {
        return self_attn.with_past(y, longer, mask, site);
    };
    const auto to_memory = [&](const Variable& y) {
        return multihead_attn.attending_to(cache.memory, y, memory_mask, first, site);
    };
    const Variable y = block(Y, to_self, to_memory, site);
    const Variable given = layer.gives(y);
    cache.past = std::move(longer);
    return given;
}

DecoderCache TransformerDecoderLayer::begin(const Variable& memory, CallSite site) const {
    const LayerScope scope(*this, "TransformerDecoderLayer", site);
    return {{}, multihead_attn.keys_and_values(memory, site)};
}

std::string TransformerDecoderLayer::details() const { return details_of(norm); }

std::string TransformerDecoderLayer::adopt(StateDict& state, const std::string& prefix) const {
    return adopt_feed_forward(state, prefix);
}

}}  // namespace heed
