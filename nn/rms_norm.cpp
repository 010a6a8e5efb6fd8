#include "rms_norm.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "forward_hook.h"
#include "norm_checks.h"

namespace heed { inline namespace HEED_PRECISION {

RMSNorm::RMSNorm(const Dims& shape, const RMSNormOptions& options, CallSite site)
    : eps(options.eps) {
    check_norm("RMSNorm", shape, eps, site);
    weight = Parameter(tensor::ones(Shape(shape, site)), "weight");
}

Variable RMSNorm::operator()(const Variable& x, CallSite site) const {
    check_normalized("RMSNorm", x, weight.shape(), site);
    const Scope scope("RMSNorm", site);
    std::vector<std::int64_t> axes;  // the last ones, those of weight
    for (int i = x.rank() - weight.rank(); i < x.rank(); ++i) axes.push_back(i);
    const Variable mean_square = mean(x * x, Dims(axes), keepdim);  // [..., 1]
    const Variable y = x / sqrt(mean_square + eps) * weight;        // [..., d]
    ForwardHook::called(*this, {&x}, y);
    return y;
}

void RMSNorm::members(MemberVisitor& visit) { visit("weight", weight); }

std::string RMSNorm::details() const { return text(weight.shape(), ", eps=", eps); }

}}  // namespace heed
