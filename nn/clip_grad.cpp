#include "nn/clip_grad.h"

#include "tensor/arithmetic.h"
#include "tensor/errors.h"

namespace heed::inline HEED_PRECISION {

namespace {

double sum_of_squares(const Tensor& x) {
    double sum = 0;
    for (const Scalar entry : x.to_vector()) {
        const double number = static_cast<double>(entry);
        sum += number * number;
    }
    return sum;
}

[[noreturn]] void fail_not_finite(const std::vector<NamedParameter>& parameters, std::size_t i,
                                  const Where& where) {
    const NamedParameter& named = parameters[i];
    const std::string name = named.name.empty() ? "" : text(" ('", named.name, "')");
    fail_runtime("clip_grad_norm",
                 text("the length of the gradient is not finite from parameter ", i, name,
                      " of shape ", named.parameter.shape(),
                      " on; no gradient was changed. DetectAnomaly finds the operation that made "
                      "the first NaN or infinity"),
                 where);
}

}  // namespace

double clip_grad_norm(const std::vector<NamedParameter>& parameters, double max_norm, Where where) {
    if (!(max_norm >= 0)) {
        fail_argument("clip_grad_norm",
                      text("max_norm is ", max_norm, "; a length must not be negative"), where);
    }
    double squares = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i].parameter;
        if (parameter.has_grad()) squares += sum_of_squares(parameter.grad());
        if (!__builtin_isfinite(squares)) fail_not_finite(parameters, i, where);
    }
    const double norm = __builtin_sqrt(squares);
    if (norm <= max_norm) return norm;

    const double scale = max_norm / (norm + 1e-6);
    for (const NamedParameter& named : parameters) {
        Variable parameter = named.parameter;
        if (parameter.has_grad()) parameter.set_grad(scale * parameter.grad(), where);
    }
    return norm;
}

}  // namespace heed::inline HEED_PRECISION
