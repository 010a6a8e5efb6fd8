#include "feed_forward.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {

Variable activate(Activation activation, const Variable& x, CallSite site) {
    switch (activation) {
    case Activation::relu:
        return relu(x, site);
    case Activation::gelu:
        return gelu(x, site);
    case Activation::gelu_tanh:
        return gelu_tanh(x, site);
    case Activation::silu:
        return silu(x, site);
    }
    check_enum("activate", "the activation", activation, Activation::silu, site);
    return x;
}

const char* name_of(Activation activation, CallSite site) {
    static constexpr const char* names[] = {"relu", "gelu", "gelu_tanh", "silu"};
    check_enum("name_of", "the activation", activation, Activation::silu, site);
    return names[static_cast<std::size_t>(activation)];
}

namespace {
// Before the first weight is drawn.
const FeedForwardOptions& checked(const FeedForwardOptions& options, const CallSite& site) {
    check_enum("FeedForward", "activation", options.activation, Activation::silu, site);
    check_dropout(options.dropout, site);
    return options;
}

}  // namespace

FeedForward::FeedForward(std::int64_t d_model, std::int64_t d_hidden, Random& random,
                         const FeedForwardOptions& options, CallSite site)
    : activation(checked(options, site).activation),
      W_1(d_model, d_hidden, random, bias_if(options.bias), site),
      W_2(d_hidden, d_model, random, bias_if(options.bias), site),
      dropout(options.dropout, random, site) {
    if (options.gated) W_gate.emplace(d_model, d_hidden, random, bias_if(options.bias), site);
}

Variable FeedForward::operator()(const Variable& x, CallSite site) const {
    check_enum("FeedForward", "activation", activation, Activation::silu, site);
    check_parameter("FeedForward", "W_1.weight", W_1.weight, 2, site);
    const std::int64_t d_model = W_1.weight.dim(1), d_hidden = W_1.weight.dim(0);
    check_linear("FeedForward", "W_2", W_2, d_hidden, d_model, site);
    if (W_gate) check_linear("FeedForward", "W_gate", *W_gate, d_model, d_hidden, site);
    const Running layer(*this, "FeedForward", {&x}, site);
    const Variable wide = W_1(x, site);  // [..., d_hidden]
    const Variable hidden = W_gate ? activate(activation, (*W_gate)(x)) * wide
                                   : activate(activation, wide);  // [..., d_hidden]
    const Variable y = W_2(dropout(hidden));                      // [..., d_model]
    return layer.gives(y);
}

std::string FeedForward::details() const {
    return text(name_of(activation), W_gate ? ", gated" : "");
}

}}  // namespace heed
