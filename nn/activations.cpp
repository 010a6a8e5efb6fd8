#include "nn/activations.h"

#include "autograd/functions.h"
#include "tensor/scope.h"

namespace heed::inline HEED_PRECISION {

Variable Tanh::operator()(const Variable& x, Where where) const {
    const Scope scope("Tanh", where);
    const Variable y = tanh(x);
    return y;
}

Variable Sigmoid::operator()(const Variable& x, Where where) const {
    const Scope scope("Sigmoid", where);
    const Variable y = sigmoid(x);
    return y;
}

Variable Relu::operator()(const Variable& x, Where where) const {
    const Scope scope("Relu", where);
    const Variable y = relu(x);
    return y;
}

Variable Gelu::operator()(const Variable& x, Where where) const {
    const Scope scope("Gelu", where);
    const Variable y = gelu(x);
    return y;
}

Variable GeluTanh::operator()(const Variable& x, Where where) const {
    const Scope scope("GeluTanh", where);
    const Variable y = gelu_tanh(x);
    return y;
}

}  // namespace heed::inline HEED_PRECISION
