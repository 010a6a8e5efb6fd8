#include "multi_head_forms.h"

#include "../../autograd/ops.h"
#include "../argument_checks.h"
#include "../running.h"
#include "attention_checks.h"
#include "attention_record.h"
#include "head_axes.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {

ListOfHeadsAttention::ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                                           Random& random, const MultiHeadOptions& options,
                                           CallSite site)
    : ListOfHeadsAttention(d_model, num_heads,
                           complete("ListOfHeadsAttention", d_model, num_heads, options, site),
                           random, site) {}

namespace {
std::vector<AttentionHead> make_heads(std::int64_t d_model, std::int64_t num_heads,
                                      const MultiHeadOptions& options, Random& random,
                                      const CallSite& site) {
    const HeadOptions head_options{.bias = options.bias,
                                   .d_v = options.d_v,
                                   .kdim = options.kdim,
                                   .vdim = options.vdim,
                                   .dropout = options.dropout,
                                   .scale = options.scale,
                                   .soft_cap = options.soft_cap};
    check_no_groups("ListOfHeadsAttention", num_heads, options, site);
    check_number_of("ListOfHeadsAttention", "num_heads", num_heads, site);
    std::vector<AttentionHead> heads;
    for (std::int64_t n = 0; n < num_heads; ++n) {
        heads.emplace_back(d_model, options.d_head, random, head_options, site);
    }
    return heads;
}

// Uniform in [-1/√in, 1/√in], as in Linear.
Parameter drawn(const Dims& lengths, std::int64_t in, Random& random, const char* name,
                const CallSite& site) {
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    const Shape shape(lengths, site);
    return Parameter(tensor::uniform(shape, random, -bound, bound, site), name);
}

// x [..., T, d], W [h, d, d_head], b [h, d_head] -> [..., T, h, d_head]
Variable project(const Variable& x, const Parameter& W, const Parameter& b) {
    const Variable y = einsum("... T d_model, heads d_model d_head -> ... T heads d_head", x, W);
    if (!b.is_set()) return y;
    const Variable shifted = y + b;
    return shifted;
}

// x [..., T, h, d_head], whose positions are not its second-to-last axis.
Variable turned(const AnyPositions& positions, const Variable& x) {
    if (!positions.are_given()) return x;
    return transpose(positions.turned(transpose(x, -3, -2)), -3, -2);
}

}  // namespace

ListOfHeadsAttention::ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                                           const MultiHeadOptions& options, Random& random,
                                           const CallSite& site)
    : heads(make_heads(d_model, num_heads, options, random, site)),
      W_O(num_heads * options.d_v, d_model, random, bias_if(*options.output_bias), site) {
    positions = options.positions;
}

Attention ListOfHeadsAttention::attention(const Variable& query, const Variable& key,
                                          const Variable& value, const std::optional<Mask>& mask,
                                          NeedWeights need_weights, CallSite site) const {
    check_not_empty("ListOfHeadsAttention", "heads", heads, "layer", site);
    check_parameter("ListOfHeadsAttention", "W_O.weight", W_O.weight, 2, site);
    if (need_weights == NeedWeights::yes) {
        check_room("ListOfHeadsAttention", query, key, "the heads", site);
    }
    check_mask_rank("ListOfHeadsAttention", mask, query, key, site);
    const LayerScope scope(*this, "ListOfHeadsAttention", site);

    std::vector<Variable> outputs;  // per head, [..., T_q, d_v]
    std::vector<Variable> weights;  // per head, [..., T_q, T_k]
    const std::int64_t num_heads = static_cast<std::int64_t>(heads.size());
    for (std::int64_t n = 0; n < num_heads; ++n) {
        const std::optional<Mask> head_mask = mask_of_head(mask, n, num_heads, site);
        const AttentionHead& head = heads[static_cast<std::size_t>(n)];
        const Attention attended =
            head.as_one_of_several(query, key, value, head_mask, need_weights, positions, n, site);
        outputs.push_back(attended.output);
        if (need_weights == NeedWeights::yes) weights.push_back(attended.weights);
    }
    const Variable concat = concatenate(outputs, -1);  // [..., T_q, h·d_v]
    const Variable output = W_O(concat);               // [..., T_q, d_model]
    if (need_weights != NeedWeights::yes) return Attention{output, {}};
    const Variable by_head = stack(weights, -3);  // [..., h, T_q, T_k]
    return Attention{output, by_head};
}

EinsumAttention::EinsumAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                                 const MultiHeadOptions& options, CallSite site)
    : EinsumAttention(d_model, num_heads,
                      complete("EinsumAttention", d_model, num_heads, options, site), random,
                      site) {}

EinsumAttention::EinsumAttention(std::int64_t d_model, std::int64_t h,
                                 const MultiHeadOptions& sizes, Random& random,
                                 const CallSite& site)
    : dropout(sizes.dropout, random, site), scale(sizes.scale), soft_cap(sizes.soft_cap) {
    check_no_groups("EinsumAttention", h, sizes, site);
    positions = sizes.positions;
    W_Q = drawn({h, d_model, sizes.d_head}, d_model, random, "W_Q", site);
    W_K = drawn({h, sizes.kdim, sizes.d_head}, sizes.kdim, random, "W_K", site);
    W_V = drawn({h, sizes.vdim, sizes.d_v}, sizes.vdim, random, "W_V", site);
    W_O = drawn({h, sizes.d_v, d_model}, h * sizes.d_v, random, "W_O", site);
    if (sizes.output_bias != sizes.bias) {
        fail_argument("EinsumAttention", site, "bias is ", sizes.bias ? "true" : "false",
                      " and output_bias is ", sizes.bias ? "false" : "true",
                      "; here all four projections have biases, or none");
    }
    if (!sizes.bias) return;
    b_Q = drawn({h, sizes.d_head}, d_model, random, "b_Q", site);
    b_K = drawn({h, sizes.d_head}, sizes.kdim, random, "b_K", site);
    b_V = drawn({h, sizes.d_v}, sizes.vdim, random, "b_V", site);
    b_O = drawn({d_model}, h * sizes.d_v, random, "b_O", site);
}

void EinsumAttention::check_parts(const char* operation, const CallSite& site) const {
    check_parameter(operation, "W_Q", W_Q, 3, site);
    check_parameter(operation, "W_K", W_K, 3, site);
    check_parameter(operation, "W_V", W_V, 3, site);
    const std::int64_t h = W_Q.dim(0), d_model = W_Q.dim(1), d_head = W_Q.dim(2), d_v = W_V.dim(2);
    tensor::check_score_options(operation, scale, soft_cap, site);
    check_parameter(operation, "W_K", W_K, Shape({h, W_K.dim(1), d_head}, site), site);
    check_parameter(operation, "W_V", W_V, Shape({h, W_V.dim(1), d_v}, site), site);
    check_parameter(operation, "W_O", W_O, Shape({h, d_v, d_model}, site), site);
    if (!b_O.is_set() && !b_Q.is_set() && !b_K.is_set() && !b_V.is_set()) return;
    check_parameter(operation, "b_Q", b_Q, Shape({h, d_head}, site), site);
    check_parameter(operation, "b_K", b_K, Shape({h, d_head}, site), site);
    check_parameter(operation, "b_V", b_V, Shape({h, d_v}, site), site);
    check_parameter(operation, "b_O", b_O, Shape({d_model}, site), site);
}

Attention EinsumAttention::attention(const Variable& query, const Variable& key,
                                     const Variable& value, const std::optional<Mask>& mask,
                                     NeedWeights need_weights, CallSite site) const {
    check_parts("EinsumAttention", site);
    check_sources("EinsumAttention", {query, W_Q.dim(1)}, {key, W_K.dim(1)}, {value, W_V.dim(1)},
                  site);
    check_room("EinsumAttention", query, key, "the heads", site);
    check_mask_rank("EinsumAttention", mask, query, key, site);
    const LayerScope scope(*this, "EinsumAttention", site);

    const Variable q = turned(positions, project(query, W_Q, b_Q));  // [..., T_q, h, d_head]
    const Variable k = turned(positions, project(key, W_K, b_K));    // [..., T_k, h, d_head]
    const Variable v = project(value, W_V, b_V);                     // [..., T_k, h, d_v]
    // √d_k, or 1/scale
    const double root_of_d_head = tensor::divisor_of(scale, W_Q.dim(2));
    const ScoreOptions changes{.bias = positions.bias(query.dim(-2), key.dim(-2), 0, site),
                               .soft_cap = soft_cap};

    const Variable products =
        einsum("... T_q heads d_head, ... T_k heads d_head -> ... heads T_q T_k", q, k);
    const Variable scores = changed_scores(products / root_of_d_head, changes);
    const Variable allowed = apply_mask(scores, mask, site);  // [..., h, T_q, T_k]
    const Variable weights = softmax(allowed, -1);            // [..., h, T_q, T_k]
    const Variable kept = dropout(weights);                   // [..., h, T_q, T_k]
    const Variable z = einsum("... heads T_q T_k, ... T_k heads d_v -> ... T_q heads d_v", kept, v);
    const Variable summed = einsum("... T heads d_v, heads d_v d_model -> ... T d_model", z, W_O);
    const Variable output = b_O.is_set() ? summed + b_O : summed;  // [..., T_q, d_model]

    if (RecordAttention::is_open()) {
        RecordAttention::add({.name = "EinsumAttention",
                              .Q = tensor::transpose(q.value(), -3, -2),
                              .K = tensor::transpose(k.value(), -3, -2),
                              .V = tensor::transpose(v.value(), -3, -2),
                              .scores = scores.value(),
                              .mask = mask,
                              .scale = 1 / root_of_d_head,
                              .weights = weights.value()},
                             site);
    }
    return Attention{output, need_weights == NeedWeights::yes ? weights : Variable()};
}

}}  // namespace heed
