#include "linear.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "argument_checks.h"
#include "init.h"
#include "running.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {

Linear::Linear(std::int64_t in, std::int64_t out, Random& random, Bias with_bias, CallSite site) {
    check_enum("Linear", "bias", with_bias, Bias::yes, site);
    check_sizes("Linear", {{"in", in}, {"out", out}}, site);
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    weight = Parameter::unfilled(Shape({out, in}, site), "weight", site);
    init::uniform(weight, random, -bound, bound, site);
    if (with_bias == Bias::no) return;
    bias = Parameter::unfilled(Shape({out}, site), "bias", site);
    init::uniform(bias, random, -bound, bound, site);
}

namespace {
bool fits(const Linear& layer) {
    const Parameter &weight = layer.weight, &bias = layer.bias;
    if (!weight.is_set() || weight.rank() != 2) return false;
    return !bias.is_set() || (bias.rank() == 1 && bias.shape()[0] == weight.shape()[0]);
}

}  // namespace

Variable Linear::operator()(const Variable& x, CallSite site) const {
    if (!fits(*this)) {
        check_parameter("Linear", "weight", weight, 2, site);
        check_parameter("Linear", "bias", bias, Shape{weight.dim(0)}, site);
    }
    const std::int64_t in = weight.dim(1);
    if (x.rank() == 0 || x.dim(-1) != in) {
        fail_shape("Linear", site, "x has shape ", x.shape(), " and the weight [out, in] ",
                   weight.shape(), "; the last axis of x must have length ", in);
    }
    const Running layer(*this, "Linear", {&x}, site);
    const Variable y = bias.is_set() ? linear(x, weight, bias)        // x·Wᵀ + b, [..., out]
                                     : matmul(x, transpose(weight));  // x·Wᵀ
    return layer.gives(y);
}

std::string Linear::details() const {
    return text("in_features=", weight.dim(1), ", out_features=", weight.dim(0),
                ", bias=", bias.is_set() ? "true" : "false");
}

void check_linear(const char* layer, const char* name, const Linear& part, std::int64_t in,
                  std::int64_t out, const CallSite& site) {
    if (fits(part) && part.weight.shape()[0] == out && part.weight.shape()[1] == in) return;
    check_parameter(layer, text(name, ".weight").c_str(), part.weight, Shape({out, in}, site),
                    site);
    check_parameter(layer, text(name, ".bias").c_str(), part.bias, Shape({out}, site), site);
}

}}  // namespace heed
