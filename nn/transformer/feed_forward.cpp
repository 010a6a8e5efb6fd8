#include "feed_forward.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../running.h"

#include <iterator>
#include <stdexcept>

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
    throw std::logic_error("activate: no such activation");
}

const char* name_of(Activation activation) {
    static constexpr const char* names[] = {"relu", "gelu", "gelu_tanh", "silu"};
    const std::size_t i = static_cast<std::size_t>(activation);
    if (i < std::size(names)) return names[i];
    throw std::logic_error("name_of: no such activation");
}

FeedForward::FeedForward(std::int64_t d_model, std::int64_t d_hidden, Random& random,
                         const FeedForwardOptions& options, CallSite site)
    : activation(options.activation), W_1(d_model, d_hidden, random, bias_if(options.bias), site),
      W_2(d_hidden, d_model, random, bias_if(options.bias), site),
      dropout(options.dropout, random, site) {
    if (options.gated) W_gate.emplace(d_model, d_hidden, random, bias_if(options.bias), site);
}

Variable FeedForward::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "FeedForward", {&x}, site);
    const Variable wide = W_1(x, site);  // [..., d_hidden]
    const Variable hidden = W_gate ? activate(activation, (*W_gate)(x)) * wide
                                   : activate(activation, wide);  // [..., d_hidden]
    const Variable y = W_2(dropout(hidden));                      // [..., d_model]
    return layer.gives(y);
}

void FeedForward::members(MemberVisitor& visit) {
    visit("W_1", W_1);
    visit("W_2", W_2);
    visit("W_gate", W_gate);
    visit("dropout", dropout);
}

std::string FeedForward::details() const {
    return text(name_of(activation), W_gate ? ", gated" : "");
}

}}  // namespace heed
