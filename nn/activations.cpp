#include "activations.h"

#include "../autograd/ops/functions.h"
#include "../tensor/scope.h"
#include "forward_hook.h"

namespace heed { inline namespace HEED_PRECISION {

Variable Tanh::operator()(const Variable& x, CallSite site) const {
    const Scope scope("Tanh", site);
    const Variable y = tanh(x);
    ForwardHook::called(*this, {&x}, y);
    return y;
}

Variable Sigmoid::operator()(const Variable& x, CallSite site) const {
    const Scope scope("Sigmoid", site);
    const Variable y = sigmoid(x);
    ForwardHook::called(*this, {&x}, y);
    return y;
}

Variable Relu::operator()(const Variable& x, CallSite site) const {
    const Scope scope("Relu", site);
    const Variable y = relu(x);
    ForwardHook::called(*this, {&x}, y);
    return y;
}

Variable Gelu::operator()(const Variable& x, CallSite site) const {
    const Scope scope("Gelu", site);
    const Variable y = gelu(x);
    ForwardHook::called(*this, {&x}, y);
    return y;
}

Variable GeluTanh::operator()(const Variable& x, CallSite site) const {
    const Scope scope("GeluTanh", site);
    const Variable y = gelu_tanh(x);
    ForwardHook::called(*this, {&x}, y);
    return y;
}

}}  // namespace heed
