#include "activations.h"

#include "../autograd/ops/functions.h"
#include "../autograd/ops/softmax.h"
#include "../tensor/errors.h"
#include "running.h"

namespace heed { inline namespace HEED_PRECISION {

Variable Tanh::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Tanh", {&x}, site);
    const Variable y = tanh(x);
    return layer.gives(y);
}

Variable Sigmoid::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Sigmoid", {&x}, site);
    const Variable y = sigmoid(x);
    return layer.gives(y);
}

Variable Relu::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Relu", {&x}, site);
    const Variable y = relu(x);
    return layer.gives(y);
}

Variable Silu::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Silu", {&x}, site);
    const Variable y = silu(x);
    return layer.gives(y);
}

Variable Gelu::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Gelu", {&x}, site);
    const Variable y = gelu(x);
    return layer.gives(y);
}

Variable GeluTanh::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "GeluTanh", {&x}, site);
    const Variable y = gelu_tanh(x);
    return layer.gives(y);
}

Variable Softmax::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Softmax", {&x}, site);
    const Variable y = softmax(x, axis, site);
    return layer.gives(y);
}

std::string Softmax::details() const { return text("axis=", axis); }

}}  // namespace heed
