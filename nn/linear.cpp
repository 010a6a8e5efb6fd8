#include "linear.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "running.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {

Linear::Linear(std::int64_t in, std::int64_t out, Random& random, Bias with_bias, CallSite site) {
    check_enum("Linear", "bias", with_bias, Bias::yes, site);
    if (in < 1 || out < 1) {
        fail_argument("Linear", site, "in is ", in, " and out is ", out,
                      "; both must be at least 1");
    }
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    const Shape shape({out, in}, site);
    weight = Parameter(tensor::uniform(shape, random, -bound, bound, site), "weight");
    if (with_bias == Bias::no) return;
    bias = Parameter(tensor::uniform({out}, random, -bound, bound, site), "bias");
}

Variable Linear::operator()(const Variable& x, CallSite site) const {
    check_parameter("Linear", "weight", weight, 2, site);
    if (bias.is_set()) check_parameter("Linear", "bias", bias, Shape{weight.dim(0)}, site);
    const std::int64_t in = weight.dim(1);
    if (x.rank() == 0 || x.dim(-1) != in) {
        fail_shape("Linear", site, "x has shape ", x.shape(), ", the weight [out, in] has ",
                   weight.shape(), "; the last axis of x must be ", in, " long");
    }
    const Running layer(*this, "Linear", {&x}, site);
    const Variable y = bias.is_set() ? linear(x, weight, bias)        // x·Wᵀ + b, [..., out]
                                     : matmul(x, transpose(weight));  // x·Wᵀ
    return layer.gives(y);
}

void Linear::members(MemberVisitor& visit) {
    visit("weight", weight);
    if (bias.is_set()) visit("bias", bias);
}

std::string Linear::details() const {
    return text("in_features=", weight.dim(1), ", out_features=", weight.dim(0),
                ", bias=", bias.is_set() ? "true" : "false");
}

void check_linear(const char* layer, const char* name, const Linear& part, std::int64_t in,
                  std::int64_t out, const CallSite& site) {
    if (part.weight.is_set() && part.weight.rank() == 2 && part.weight.dim(0) == out &&
        part.weight.dim(1) == in && (!part.bias.is_set() || part.bias.shape() == Shape{out})) {
        return;
    }
    check_parameter(layer, text(name, ".weight").c_str(), part.weight, Shape({out, in}, site),
                    site);
    check_parameter(layer, text(name, ".bias").c_str(), part.bias, Shape({out}, site), site);
}

}}  // namespace heed
