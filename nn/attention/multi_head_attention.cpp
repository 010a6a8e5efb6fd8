#include "multi_head_attention.h"

#include "../../tensor/errors.h"
#include "../../tensor/fused/attention.h"
#include "../argument_checks.h"
#include "../running.h"
#include "attention_checks.h"
#include "head_axes.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_product(const char* what, std::int64_t num_heads, std::int64_t size,
                   const CallSite& site) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(num_heads, size, &product)) return;
    fail_argument("MultiHeadAttention", site, "num_heads is ", num_heads, " and ", what, " is ",
                  size, "; their product does not fit in 64 bits");
}

// The same options with every 0 replaced by its default.
MultiHeadOptions complete(std::int64_t d_model, std::int64_t num_heads,
                          const MultiHeadOptions& options, const CallSite& site) {
    const char* const layer = "MultiHeadAttention";
    check_sizes(layer, {{"d_model", d_model}, {"num_heads", num_heads}}, site);
    if (options.d_head < 0 || options.d_v < 0 || options.kdim < 0 || options.vdim < 0) {
        fail_argument(layer, site, "d_head is ", options.d_head, ", d_v ", options.d_v, ", kdim ",
                      options.kdim, ", vdim ", options.vdim,
                      "; each must be at least 1, or 0 for its default");
    }
    if (options.d_head == 0 && d_model % num_heads != 0) {
        fail_argument(layer, site, "d_model is ", d_model, " and num_heads is ", num_heads,
                      "; d_model must be a multiple of num_heads unless d_head is given");
    }
    MultiHeadOptions completed = options;
    if (completed.num_kv_heads == 0) completed.num_kv_heads = num_heads;
    if (completed.num_kv_heads < 1 || num_heads % completed.num_kv_heads != 0) {
        fail_argument(layer, site, "num_heads is ", num_heads, " and num_kv_heads is ",
                      completed.num_kv_heads,
                      "; num_heads must be a multiple of num_kv_heads, since each head of keys and "
                      "values is shared by equally many heads of queries");
    }
    tensor::check_score_options(layer, options.scale, options.soft_cap, site);
    check_dropout(options.dropout, site);
    if (!completed.output_bias) completed.output_bias = completed.bias;
    if (completed.d_head == 0) completed.d_head = d_model / num_heads;
    if (completed.d_v == 0) completed.d_v = completed.d_head;
    check_product("d_head", num_heads, completed.d_head, site);
    check_product("d_v", num_heads, completed.d_v, site);
    if (completed.kdim == 0) completed.kdim = d_model;
    if (completed.vdim == 0) completed.vdim = d_model;
    return completed;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(std::int64_t d_model, std::int64_t h, Random& random,
                                       const MultiHeadOptions& options, CallSite site)
    : MultiHeadAttention(d_model, h, complete(d_model, h, options, site), random, site) {}

MultiHeadAttention::MultiHeadAttention(std::int64_t d_model, std::int64_t h,
                                       const MultiHeadOptions& options, Random& random,
                                       const CallSite& site)
    : num_heads(h), W_Q(d_model, h * options.d_head, random, bias_if(options.bias), site),
      W_K(options.kdim, options.num_kv_heads * options.d_head, random, bias_if(options.bias), site),
      W_V(options.vdim, options.num_kv_heads * options.d_v, random, bias_if(options.bias), site),
      W_O(h * options.d_v, d_model, random, bias_if(*options.output_bias), site),
      dropout(options.dropout, random, site), scale(options.scale), soft_cap(options.soft_cap) {
    positions = options.positions;
}

std::int64_t MultiHeadAttention::num_kv_heads() const {
    const std::int64_t d_head = num_heads < 1 ? 0 : W_Q.weight.dim(0) / num_heads;
    return d_head < 1 ? 0 : W_K.weight.dim(0) / d_head;
}

void MultiHeadAttention::check_parts(const char* operation, const CallSite& site) const {
    check_parameter(operation, "W_Q.weight", W_Q.weight, 2, site);
    check_parameter(operation, "W_K.weight", W_K.weight, 2, site);
    check_parameter(operation, "W_V.weight", W_V.weight, 2, site);
    check_parameter(operation, "W_O.weight", W_O.weight, 2, site);
    const std::int64_t h = num_heads, h_kv = num_kv_heads();
    const Shape &of_Q = W_Q.weight.shape(), &of_K = W_K.weight.shape();
    const Shape &of_V = W_V.weight.shape(), &of_O = W_O.weight.shape();
    if (h_kv >= 1 && h % h_kv == 0 && of_Q[0] % h == 0 && of_K[0] == of_Q[0] / h * h_kv &&
        of_V[0] % h_kv == 0 && of_O[1] % h == 0 && of_O[1] / h == of_V[0] / h_kv &&
        of_O[0] == of_Q[1]) {
        return;
    }
    fail_shape(operation, site, "there are ", h, " heads, and the weights have shapes W_Q ", of_Q,
               ", W_K ", of_K, ", W_V ", of_V, ", W_O ", of_O,
               "; they must be [h·d_head, d_model], [h_kv·d_head, kdim], [h_kv·d_v, vdim], "
               "[d_model, h·d_v], with h a multiple of h_kv");
}

Attention MultiHeadAttention::attention(const Variable& query, const Variable& key,
                                        const Variable& value, const std::optional<Mask>& mask,
                                        NeedWeights need_weights, CallSite site) const {
    check_parts("MultiHeadAttention", site);
    check_sources("MultiHeadAttention", {query, W_Q.weight.dim(1)}, {key, W_K.weight.dim(1)},
                  {value, W_V.weight.dim(1)}, site);
    check_room("MultiHeadAttention", query, key, "the heads", site);
    check_mask_rank("MultiHeadAttention", mask, query, key, site);
    const LayerScope scope(*this, "MultiHeadAttention", site);

    const Variable Q = queries_of(query, 0);  // [..., h, T_q, d_head]
    const Variable K = keys_of(key, 0);       // [..., h_kv, T_k, d_head]
    const Variable V = values_of(value);      // [..., h_kv, T_k, d_v]
    const Attention heads = heads_attend(Q, {K, V}, 0, mask, need_weights, site);
    const Variable concat = merge_heads(heads.output);  // [..., T_q, h·d_v]
    const Variable output = W_O(concat);                // [..., T_q, d_model]
    return Attention{output, heads.weights};
}

// The first token of X is at position `first`.
Variable MultiHeadAttention::queries_of(const Variable& X, std::int64_t first) const {
    const Variable heads = split_heads(W_Q(X), num_heads);  // [..., h, T_q, d_head]
    return positions.turned(heads, first);
}

Variable MultiHeadAttention::keys_of(const Variable& X, std::int64_t first) const {
    const Variable heads = split_heads(W_K(X), num_kv_heads());  // [..., h_kv, T_k, d_head]
    return positions.turned(heads, first);
}

Variable MultiHeadAttention::values_of(const Variable& X) const {
    return split_heads(W_V(X), num_kv_heads());  // [..., h_kv, T_k, d_v]
}

Attention MultiHeadAttention::heads_attend(const Variable& Q, const KeysAndValues& keys,
                                           std::int64_t first, const std::optional<Mask>& mask,
                                           NeedWeights need_weights, CallSite site) const {
    const std::int64_t times = num_heads / num_kv_heads();
    const Variable K = repeat_heads(keys.K, times);  // [..., h, T_k, d_head]
    const Variable V = repeat_heads(keys.V, times);  // [..., h, T_k, d_v]
    const ScoreOptions changes{.bias = positions.bias(Q.dim(-2), K.dim(-2), first, site),
                               .scale = scale,
                               .soft_cap = soft_cap};
    return scaled_dot_product_attention(Q, K, V, mask, need_weights, &dropout, changes, site);
}

Variable MultiHeadAttention::with_past(const Variable& X, KeyValueCache& past,
                                       const std::optional<Mask>& mask, CallSite site) const {
    check_parts("MultiHeadAttention", site);
    check_source("MultiHeadAttention", "X", X, W_Q.weight.dim(1), site);
    check_room("MultiHeadAttention", X, X, "the heads", site);
    check_mask_rank("MultiHeadAttention", mask, X, X, site);
    const std::int64_t first = past.length(), T = X.dim(-2);
    const Shape batch = X.shape().without_last(2).followed_by(num_heads, site);
    if (mask) check_mask("MultiHeadAttention", *mask, batch.followed_by({T, first + T}), site);
    const Running layer(*this, "MultiHeadAttention", {&X}, site);
    const Variable placed = positions.added_to(X, first, site);  // [..., T, d_model]

    const Variable Q = queries_of(placed, first);
    KeyValueCache longer = past;
    const KeysAndValues all =
        longer.append_heads({keys_of(placed, first), values_of(placed)}, site);
    const Attention heads = heads_attend(Q, all, first, mask, no_weights, site);
    const Variable output = W_O(merge_heads(heads.output));  // [..., T, d_model]
    const Variable given = layer.gives(output);
    past = std::move(longer);
    return given;
}

KeyValueCache MultiHeadAttention::keys_and_values(const Variable& source, CallSite site) const {
    check_parts("MultiHeadAttention", site);
    check_source("MultiHeadAttention", "source", source, W_K.weight.dim(1), site);
    check_source("MultiHeadAttention", "source", source, W_V.weight.dim(1), site);
    const LayerScope scope(*this, "MultiHeadAttention", site);
    const Variable placed = positions.added_to(source, 0, site);
    KeyValueCache kept;
    kept.append_heads({keys_of(placed, 0), values_of(placed)}, site);
    return kept;
}

Variable MultiHeadAttention::attending_to(const KeyValueCache& source, const Variable& X,
                                          const std::optional<Mask>& mask, std::int64_t first,
                                          CallSite site) const {
    check_parts("MultiHeadAttention", site);
    check_source("MultiHeadAttention", "X", X, W_Q.weight.dim(1), site);
    check_mask_rank("MultiHeadAttention", mask, X, X, site);
    const Running layer(*this, "MultiHeadAttention", {&X}, site);
    const Variable Q = queries_of(positions.added_to(X, first, site), first);
    const Attention heads = heads_attend(Q, source.all(), first, mask, no_weights, site);
    const Variable output = W_O(merge_heads(heads.output));  // [..., T_q, d_model]
    return layer.gives(output);
}

std::string MultiHeadAttention::details() const {
    std::string described = text("d_model=", W_O.weight.dim(0), ", num_heads=", num_heads);
    if (num_kv_heads() != num_heads) described += text(", num_kv_heads=", num_kv_heads());
    if (scale) described += text(", scale=", *scale);
    if (soft_cap) described += text(", soft_cap=", *soft_cap);
    return described;
}

}}  // namespace heed
