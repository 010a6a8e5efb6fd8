#include "gpt.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "../init.h"
#include "../positions/learned_positions.h"
#include "../positions/relative_bias.h"
#include "../positions/sinusoidal_positions.h"
#include "../recomputed.h"
#include "../running.h"
#include "left_padding.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr double initial_deviation = 0.02;

// The positions that are added to the vectors, if there are any.
AnyPositions added_positions(const GptConfig& config, Random& random) {
    if (config.positions == PositionKind::sinusoidal) return SinusoidalPositions(config.d_model);
    if (config.positions != PositionKind::learned) return {};
    LearnedPositions learned(config.limit, config.d_model, random);
    init::normal(learned.weight, random, 0, initial_deviation);
    return learned;
}

// The positions of a block's attention, if there are any.
AnyPositions attention_positions(const GptConfig& config, const CallSite& site) {
    if (config.positions == PositionKind::rotary) {
        return RotaryPositions(d_head(config), config.rotary, site);
    }
    if (config.positions == PositionKind::relative) {
        return RelativeBias(config.num_heads, config.limit - 1, site);
    }
    if (config.positions == PositionKind::alibi) return Alibi(config.num_heads, site);
    return {};
}

MultiHeadOptions attention_options(const GptConfig& config, const CallSite& site) {
    return {.bias = config.qkv_bias.value_or(config.bias),
            .output_bias = config.output_bias.value_or(config.bias),
            .d_head = config.d_head,
            .dropout = config.dropout,
            .num_kv_heads = config.num_kv_heads,
            .soft_cap = config.soft_cap,
            .positions = attention_positions(config, site)};
}

FeedForwardOptions feed_forward_options(const GptConfig& config) {
    return {.activation = config.activation,
            .gated = config.gated,
            .bias = config.feed_forward_bias.value_or(config.bias)};
}

AnyLayer norm_of(const GptConfig& config, const CallSite& site) {
    return norm_of(config.norm, config.d_model, {.eps = config.norm_eps, .bias = config.bias},
                   site);
}

Variable recomputed(const GptBlock& block, const Variable& X, const Mask& mask,
                    const CallSite& site) {
    const auto call = [&block, mask, site](const std::vector<Variable>& in) {
        return block(in[0], mask, site);
    };
    return heed::recomputed(block, {X}, call, site);
}

void initialize_linear(Linear& layer, Random& random, double deviation) {
    init::normal(layer.weight, random, 0, deviation);
    if (layer.bias.is_set()) init::zeros(layer.bias);
}

}  // namespace

GptBlock::GptBlock(const GptConfig& config, Random& random, CallSite site)
    : norm1(norm_of(config, site)),
      attention(config.d_model, config.num_heads, random, attention_options(config, site), site),
      norm2(norm_of(config, site)),
      feed_forward(config.d_model, config.d_hidden, random, feed_forward_options(config), site),
      dropout1(config.dropout, random, site), dropout2(config.dropout, random, site) {}

Variable GptBlock::operator()(const Variable& X, const Mask& mask, CallSite site) const {
    const Running layer(*this, "GptBlock", {&X}, site);
    const Variable x = X + dropout1(attention(norm1(X, site), mask, site));  // [..., T, d_model]
    const Variable y = x + dropout2(feed_forward(norm2(x)));                 // [..., T, d_model]
    return layer.gives(y);
}

Variable GptBlock::with_past(const Variable& X, KeyValueCache& past, const Mask& mask,
                             CallSite site) const {
    const Running layer(*this, "GptBlock", {&X}, site);
    KeyValueCache longer = past;
    const Variable x = X + dropout1(attention.with_past(norm1(X, site), longer, mask, site));
    const Variable y = x + dropout2(feed_forward(norm2(x)));  // [..., T, d_model]
    const Variable given = layer.gives(y);
    past = std::move(longer);
    return given;
}

void GptCache::truncate(std::int64_t length, CallSite site) {
    GptCache shorter = *this;
    for (KeyValueCache& block : shorter.blocks) block.truncate(length, site);
    for (std::size_t b = 0; b < padding.size() && length > 0; ++b) {
        if (padding[b] < length) continue;
        fail_range("GptCache", site, "cannot keep the first ", length, " tokens; the first ",
                   padding[b], " of sequence ", b, " are padding");
    }
    if (length == 0) shorter.padding.clear();
    *this = std::move(shorter);
}

void GptCache::keep_sequences(const IndexTensor& sequences, CallSite site) {
    GptCache chosen = *this;
    for (KeyValueCache& block : chosen.blocks) block.keep_sequences(sequences, site);
    if (!padding.empty()) {
        chosen.padding.clear();
        check_labels("GptCache", "sequence", sequences, std::ssize(padding), "sequences", site);
        for (std::int64_t i = 0; i < sequences.numel(); ++i) {
            chosen.padding.push_back(padding[static_cast<std::size_t>(sequences.data()[i])]);
        }
    }
    *this = std::move(chosen);
}

Gpt::Gpt(const GptConfig& config, Random& random, CallSite site)
    : config_(complete(config, site)),
      tokens(config_.vocab_size, config_.d_model, random, std::nullopt, site),
      positions(added_positions(config_, random)), dropout(config_.dropout, random, site),
      norm(norm_of(config_, site)),
      head(config_.d_model, config_.vocab_size, random, no_bias, site) {
    blocks.reserve(static_cast<std::size_t>(config_.num_layers));
    for (std::int64_t i = 0; i < config_.num_layers; ++i) {
        blocks.emplace_back(config_, random, site);
    }
    initialize(random);
    if (config_.tied_head) tie(head.weight, tokens.weight);
}

Gpt::Gpt(const Gpt& other)
    : Module(other), config_(other.config_), tokens(other.tokens), positions(other.positions),
      dropout(other.dropout), blocks(other.blocks), norm(other.norm), head(other.head) {
    tie_head(other);
}

Gpt& Gpt::operator=(const Gpt& other) {
    Module::operator=(other);
    config_ = other.config_;
    tokens = other.tokens;
    positions = other.positions;
    dropout = other.dropout;
    blocks = other.blocks;
    norm = other.norm;
    head = other.head;
    tie_head(other);
    return *this;
}

void Gpt::tie_head(const Gpt& other) {
    const bool is_tied = other.head.weight.node() == other.tokens.weight.node();
    if (head.weight.is_untied_copy() && is_tied) tie(head.weight, tokens.weight);
}

void Gpt::initialize(Random& random) {
    const double additions = 2 * static_cast<double>(config_.num_layers);  // to the residual stream
    const double deviation = initial_deviation;
    const double residual_deviation = deviation / std::sqrt(additions);
    init::normal(tokens.weight, random, 0, deviation);
    for (GptBlock& block : blocks) {
        initialize_linear(block.attention.W_Q, random, deviation);
        initialize_linear(block.attention.W_K, random, deviation);
        initialize_linear(block.attention.W_V, random, deviation);
        initialize_linear(block.attention.W_O, random, residual_deviation);
        initialize_linear(block.feed_forward.W_1, random, deviation);
        initialize_linear(block.feed_forward.W_2, random, residual_deviation);
        if (config_.gated) initialize_linear(*block.feed_forward.W_gate, random, deviation);
    }
    initialize_linear(head, random, deviation);
}

Variable Gpt::operator()(const IndexTensor& ids, CallSite site) const {
    return (*this)(ids, std::nullopt, site);
}

Variable Gpt::operator()(const IndexTensor& ids, const std::optional<Mask>& mask,
                         CallSite site) const {
    check_not_empty("Gpt", "blocks", blocks, "model", site);
    check_ids(ids, 0, site);
    std::vector<std::int64_t> padding;
    if (mask) padding = left_padding_of("Gpt", ids, *mask, site);
    const Running layer(*this, "Gpt", {}, site);
    const Mask causal = causal_after_padding(padding, ids.dim(-1), ids.dim(-1), site);
    Variable x = embedded(ids, 0, padding, site);  // [..., T, d_model]
    if (config_.recompute) {
        for (const GptBlock& block : blocks) x = recomputed(block, x, causal, site);
    } else {
        for (const GptBlock& block : blocks) x = block(x, causal, site);
    }
    const Variable logits = head(norm(x));  // [..., T, vocab_size]
    return layer.gives(logits);
}

Variable Gpt::with_past(const IndexTensor& ids, GptCache& cache, CallSite site) const {
    return with_past(ids, cache, std::nullopt, site);
}

Variable Gpt::with_past(const IndexTensor& ids, GptCache& cache, const std::optional<Mask>& mask,
                        CallSite site) const {
    return continued(ids, cache, mask, Asked::all_logits, site);
}

Variable Gpt::next_logits(const IndexTensor& ids, GptCache& cache, const std::optional<Mask>& mask,
                          CallSite site) const {
    return continued(ids, cache, mask, Asked::next_logits, site);
}

Variable Gpt::continued(const IndexTensor& ids, GptCache& cache, const std::optional<Mask>& mask,
                        Asked asked, const CallSite& site) const {
    const std::int64_t first = cache.length();
    check_not_empty("Gpt", "blocks", blocks, "model", site);
    check_ids(ids, first, site);
    if (asked == Asked::next_logits && ids.dim(-1) == 0) {
        fail_shape("Gpt", site, "ids have shape ", ids.shape(),
                   "; next_logits needs at least one token, [..., T] with T at least 1");
    }
    GptCache longer = cache;
    if (longer.blocks.empty()) longer.blocks.resize(blocks.size());
    check_cache(ids, longer, site);
    if (mask && first > 0) {
        fail_argument("Gpt", site, "there is a mask, and the cache has ", first,
                      " tokens; padding can only be before the first tokens");
    }
    if (mask) longer.padding = left_padding_of("Gpt", ids, *mask, site);
    const Running layer(*this, "Gpt", {}, site);
    const Mask causal =
        causal_after_padding(longer.padding, ids.dim(-1), first + ids.dim(-1), site);
    Variable x = embedded(ids, first, longer.padding, site);  // [..., T, d_model]
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        x = blocks[i].with_past(x, longer.blocks[i], causal, site);
    }
    if (asked == Asked::next_logits) x = select(x, -2, ids.dim(-1) - 1, site);  // [..., d_model]
    const Variable logits = head(norm(x));  // [..., T, vocab_size], or [..., vocab_size]
    const Variable given = layer.gives(logits);
    cache = std::move(longer);
    return given;
}

Variable Gpt::embedded(const IndexTensor& ids, std::int64_t first,
                       const std::vector<std::int64_t>& padding, const CallSite& site) const {
    const Variable x = tokens(ids, site);  // [..., T, d_model]
    if (padding.empty()) return dropout(positions.added_to(x, first, site));
    return dropout(placed_after_padding(positions, x, first, padding, site));
}

void Gpt::check_ids(const IndexTensor& ids, std::int64_t first, const CallSite& site) const {
    if (ids.rank() < 1 || ids.rank() > max_rank - 2) {
        fail_shape("Gpt", site, "ids have shape ", ids.shape(),
                   "; they must be [..., T], with at most ", max_rank - 2,
                   " axes, since vectors and heads add two");
    }
    check_labels("Gpt", "id", ids, config_.vocab_size, "tokens", site);
    check_limit("Gpt", first, ids.dim(-1), config_.limit, site);
}

void Gpt::check_cache(const IndexTensor& ids, const GptCache& cache, const CallSite& site) const {
    if (cache.blocks.size() != blocks.size()) {
        fail_argument("Gpt", site, "the cache is of a model with ", cache.blocks.size(),
                      " blocks, but this one has ", blocks.size(),
                      "; begin each text with a new GptCache");
    }
    const std::int64_t B = std::ssize(cache.padding);
    if (B > 0 && (ids.rank() != 2 || ids.dim(0) != B)) {
        fail_shape("Gpt", site, "ids have shape ", ids.shape(),
                   " and the cache has the padding of ", B,
                   " sequences; for further tokens they must be [B, T], for the same sequences");
    }
    if (cache.length() == 0) return;
    const Shape keys = cache.blocks[0].all().K.shape();  // [..., h, T, d_head]
    bool fit = keys.rank() == ids.rank() + 2;
    for (int axis = 0; fit && axis < ids.rank() - 1; ++axis) fit = keys[axis] == ids.dim(axis);
    if (!fit) {
        fail_shape("Gpt", site, "ids have shape ", ids.shape(), " and the keys in the cache ", keys,
                   "; for further tokens [..., T] they must be [..., h, T, d_head], for the same "
                   "sequences");
    }
}

}}  // namespace heed
