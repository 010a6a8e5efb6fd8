#include "layer_norm.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "forward_hook.h"
#include "norm_checks.h"

namespace heed { inline namespace HEED_PRECISION {

LayerNorm::LayerNorm(const Dims& shape, const LayerNormOptions& options, CallSite site)
    : eps(options.eps) {
    check_norm("LayerNorm", shape, eps, site);
    weight = Parameter(tensor::ones(Shape(shape, site)), "weight");
    if (options.bias) bias = Parameter(tensor::zeros(Shape(shape, site)), "bias");
}

Variable LayerNorm::operator()(const Variable& x, CallSite site) const {
    check_normalized("LayerNorm", x, weight.shape(), site);
    const Scope scope("LayerNorm", site);
    // With μ and σ² over the last axes, those of weight:
    // x̂ = (x − μ)/√(σ² + eps), y = x̂ ⊙ weight + bias
    const Variable shift = bias.is_set() ? Variable(bias) : Variable(tensor::zeros(weight.shape()));
    const Variable y = layer_norm(x, weight, shift, eps);  // [..., d]
    ForwardHook::called(*this, {&x}, y);
    return y;
}

void LayerNorm::members(MemberVisitor& visit) {
    visit("weight", weight);
    if (bias.is_set()) visit("bias", bias);
}

std::string LayerNorm::details() const {
    return text(weight.shape(), ", eps=", eps, bias.is_set() ? "" : ", bias=false");
}

}}  // namespace heed
