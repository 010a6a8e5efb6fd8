#include "clip_grad.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops/arithmetic.h"
#include "../../tensor/ops/functions.h"
#include "../../tensor/ops/reduce.h"
#include "../../tensor/parallel_walk.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {
namespace {
double sum_of_squares(const Tensor& x, double unit) {
    double sum = 0;
    for (Walk<1> walk(x.shape(), {&x.strides()}); !walk.done(); walk.next()) {
        const Scalar* row = x.data() + walk.offset(0);
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            const double number = static_cast<double>(row[i * walk.row_stride(0)]) / unit;
            sum += number * number;
        }
    }
    return sum;
}

// One sum of (entry / unit)² per gradient, 0 for a missing one. Each sum is a sequential chain of
// additions, so threads split the work by parameter when there are many numbers.
std::vector<double> sums_of_squares(const std::vector<NamedParameter>& parameters, double unit) {
    std::vector<double> sums(parameters.size());
    if (parameters.empty()) return sums;
    const std::int64_t count = static_cast<std::int64_t>(parameters.size());
    std::int64_t numbers = 0;
    for (const NamedParameter& named : parameters) numbers += named.parameter.numel();
    const std::int64_t at_a_time = numbers < 4 * grain_of_numbers ? count : 1;
    parallel_for(count, at_a_time, [&](std::int64_t begin, std::int64_t end) {
        for (std::size_t i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end);
             ++i) {
            const Variable& parameter = parameters[i].parameter;
            if (parameter.has_grad()) sums[i] = sum_of_squares(parameter.grad(), unit);
        }
    });
    return sums;
}

[[noreturn]] void fail_not_finite(const std::vector<NamedParameter>& parameters, std::size_t i,
                                  const CallSite& site) {
    const NamedParameter& named = parameters[i];
    const std::string name = named.name.empty() ? "" : text(" ('", named.name, "')");
    fail_runtime("clip_grad_norm", site,
                 "the norm of the gradients stops being finite at parameter ", i, name,
                 " of shape ", named.parameter.shape(),
                 "; no gradient was changed. DetectAnomaly finds the operation that made the first "
                 "NaN or infinity");
}

double sum(const std::vector<double>& numbers) {
    double total = 0;
    for (const double number : numbers) total += number;
    return total;
}

// The largest magnitude of an entry. Error: an entry is NaN or infinite.
double largest_entry(const std::vector<NamedParameter>& parameters, const CallSite& site) {
    double largest = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i].parameter;
        if (!parameter.has_grad() || parameter.numel() == 0) continue;
        const Tensor most = tensor::max(tensor::abs(parameter.grad()));
        const double magnitude = static_cast<double>(most.item());
        if (!__builtin_isfinite(magnitude)) fail_not_finite(parameters, i, site);
        if (magnitude > largest) largest = magnitude;
    }
    return largest;
}

// In double the squares of numbers such as 1e200 are infinite, and those of 1e-200 are 0, where
// their length is neither. Then the numbers are divided by the largest first.
constexpr double smallest_sum = 1e-280;  // above, squares that became 0 do not matter

double norm_of_gradients(const std::vector<NamedParameter>& parameters, const CallSite& site) {
    const double plain = sum(sums_of_squares(parameters, 1));
    if (plain >= smallest_sum && __builtin_isfinite(plain)) return std::sqrt(plain);

    const double unit = largest_entry(parameters, site);
    if (unit == 0) return 0;
    const std::vector<double> sums = sums_of_squares(parameters, unit);
    double squares = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        squares += sums[i];
        if (!__builtin_isfinite(std::sqrt(squares) * unit)) fail_not_finite(parameters, i, site);
    }
    return std::sqrt(squares) * unit;
}

}  // namespace

double clip_grad_norm(const std::vector<NamedParameter>& parameters, double max_norm,
                      CallSite site) {
    if (!(max_norm >= 0)) {
        fail_argument("clip_grad_norm", site, "max_norm is ", max_norm,
                      "; it must not be negative");
    }
    const double norm = norm_of_gradients(parameters, site);
    if (norm <= max_norm) return norm;

    const double scale = max_norm / (norm + 1e-6);
    for (const NamedParameter& named : parameters) {
        Variable parameter = named.parameter;
        if (parameter.has_grad()) parameter.set_grad(scale * parameter.grad(), site);
    }
    return norm;
}

}}  // namespace heed
