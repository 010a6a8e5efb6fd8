#include "activations.h"

#include "../autograd/ops/functions.h"
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

}}  // namespace heed
