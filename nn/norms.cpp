#include "norms.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "init.h"
#include "running.h"

namespace heed { inline namespace HEED_PRECISION {

void check_eps(const char* layer, double eps, const CallSite& site) {
    if (eps >= 0 && eps < infinity) return;
    fail_argument(layer, site, "eps is ", eps, "; it must be finite and not negative");
}

namespace {
// At least one axis, none shorter than 1.
void check_norm(const char* layer, const Dims& shape, double eps, const CallSite& site) {
    bool positive = !shape.empty();
    for (const std::int64_t length : shape) positive = positive && length >= 1;
    if (!positive) {
        fail_argument(layer, site, "the shape to normalize over is ", shape,
                      "; it must have at least one axis, and no length below 1");
    }
    check_eps(layer, eps, site);
}

// The last axes of x must be those of the weight.
void check_normalized(const char* layer, const Variable& x, const Parameter& weight, double eps,
                      const CallSite& site) {
    const Shape& shape = weight.shape();
    check_parameter(layer, "weight", weight, shape.rank() < 1 ? 1 : shape.rank(), site);
    check_eps(layer, eps, site);
    if (ends_in(x.shape(), shape)) return;
    fail_shape(layer, site, "x has shape ", x.shape(), ", but this layer normalizes over ", shape,
               "; the last axes of x must match");
}

}  // namespace

LayerNorm::LayerNorm(const Dims& shape, const LayerNormOptions& options, CallSite site)
    : eps(options.eps) {
    check_norm("LayerNorm", shape, eps, site);
    weight = Parameter::unfilled(Shape(shape, site), "weight", site);
    init::ones(weight, site);
    if (!options.bias) return;
    bias = Parameter::unfilled(Shape(shape, site), "bias", site);
    init::zeros(bias, site);
}

Variable LayerNorm::operator()(const Variable& x, CallSite site) const {
    check_normalized("LayerNorm", x, weight, eps, site);
    if (bias.is_set()) check_parameter("LayerNorm", "bias", bias, weight.shape(), site);
    const Running layer(*this, "LayerNorm", {&x}, site);
    // With μ and σ² over the last axes, those of weight:
    // x̂ = (x − μ)/√(σ² + eps), y = x̂ ⊙ weight + bias
    const Variable shift = bias.is_set() ? Variable(bias) : Variable(tensor::zeros(weight.shape()));
    const Variable y = layer_norm(x, weight, shift, eps);  // [..., d]
    return layer.gives(y);
}

std::string LayerNorm::details() const {
    return text(weight.shape(), ", eps=", eps, bias.is_set() ? "" : ", bias=false");
}

RMSNorm::RMSNorm(const Dims& shape, const RMSNormOptions& options, CallSite site)
    : eps(options.eps) {
    check_norm("RMSNorm", shape, eps, site);
    weight = Parameter::unfilled(Shape(shape, site), "weight", site);
    init::ones(weight, site);
}

Variable RMSNorm::operator()(const Variable& x, CallSite site) const {
    check_normalized("RMSNorm", x, weight, eps, site);
    const Running layer(*this, "RMSNorm", {&x}, site);
    std::vector<std::int64_t> axes;  // the last ones, as many as weight has
    for (int i = x.rank() - weight.rank(); i < x.rank(); ++i) axes.push_back(i);
    const Variable mean_square = mean(x * x, Dims(axes), keepdim);  // [..., 1]
    const Variable y = x / sqrt(mean_square + eps) * weight;        // [..., d]
    return layer.gives(y);
}

std::string RMSNorm::details() const { return text(weight.shape(), ", eps=", eps); }

}}  // namespace heed
