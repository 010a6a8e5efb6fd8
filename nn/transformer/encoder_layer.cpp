#include "encoder_layer.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../forward_hook.h"
#include "../layer_scope.h"
#include "../pytorch_names.h"

namespace heed { inline namespace HEED_PRECISION {

TransformerEncoderLayer::TransformerEncoderLayer(std::int64_t d_model, std::int64_t num_heads,
                                                 std::int64_t d_hidden, Random& random,
                                                 const TransformerOptions& options, CallSite site)
    : norm(options.norm), self_attn(d_model, num_heads, random,
                                    {.bias = options.bias, .dropout = options.dropout}, site),
      feed_forward(
          d_model, d_hidden, random,
          {.activation = options.activation, .bias = options.bias, .dropout = options.dropout},
          site),
      norm1(d_model, {.eps = options.layer_norm_eps, .bias = options.bias}, site),
      norm2(d_model, {.eps = options.layer_norm_eps, .bias = options.bias}, site),
      dropout1(options.dropout, random, site), dropout2(options.dropout, random, site) {}

Variable TransformerEncoderLayer::operator()(const Variable& X, const std::optional<Mask>& mask,
                                             CallSite site) const {
    const LayerScope scope(*this, "TransformerEncoderLayer", site);
    // The parts that first see X and the mask check them, so they name the caller's line.
    Variable x = X;  // [..., T, d_model]
    if (norm == NormPlace::before) {
        x = x + dropout1(self_attn(norm1(x, site), mask, site));
        x = x + dropout2(feed_forward(norm2(x)));
    } else {
        x = norm1(x + dropout1(self_attn(x, mask, site)));
        x = norm2(x + dropout2(feed_forward(x)));
    }
    ForwardHook::called(*this, {&X}, x);
    return x;
}

Variable TransformerEncoderLayer::operator()(const Variable& X, CallSite site) const {
    return (*this)(X, std::nullopt, site);
}

void TransformerEncoderLayer::members(MemberVisitor& visit) {
    visit("self_attn", self_attn);
    visit("feed_forward", feed_forward);
    visit("norm1", norm1);
    visit("norm2", norm2);
    visit("dropout1", dropout1);
    visit("dropout2", dropout2);
}

std::string TransformerEncoderLayer::details() const {
    return norm == NormPlace::before ? "norm before" : "norm after";
}

std::string TransformerEncoderLayer::adopt(StateDict& state, const std::string& prefix) const {
    return adopt_feed_forward(state, prefix);
}

}}  // namespace heed
