#include "init.h"

#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "../tensor/ops/arithmetic.h"

#include <cmath>
#include <limits>

namespace heed { inline namespace HEED_PRECISION { namespace init {
namespace {
void check_set(const char* name, const Parameter& parameter, const CallSite& site) {
    check_tie(name, "weight", parameter, site);
    if (parameter.is_set()) return;
    fail_argument(name, site, "the parameter was never set, so it has no shape to fill");
}

void check_deviation(const char* name, double mean, double deviation, const CallSite& site) {
    if (__builtin_isfinite(mean) && deviation >= 0 && __builtin_isfinite(deviation)) return;
    fail_argument(name, site, "the mean is ", mean, " and the standard deviation ", deviation,
                  "; both must be finite, and the deviation not negative");
}

struct Fans {
    double in, out;
};

// A weight [out, in, ...]
Fans fans(const char* name, const Parameter& weight, const CallSite& site) {
    check_set(name, weight, site);
    if (weight.rank() < 2) {
        fail_argument(name, site, "the parameter has shape ", weight.shape(),
                      "; a fan is defined for a weight [out, in, ...] with at least two axes");
    }
    if (weight.numel() == 0) return {1, 1};  // nothing is drawn
    const double area = static_cast<double>(weight.numel() / (weight.dim(0) * weight.dim(1)));
    return {static_cast<double>(weight.dim(1)) * area, static_cast<double>(weight.dim(0)) * area};
}

void fill(const char* name, Parameter& parameter, const Tensor& values, const CallSite& site) {
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        const Scalar value = values.data()[i];
        if (__builtin_isfinite(value)) continue;
        fail_argument(name, site, "a value is ", value, "; all must be finite, and no larger than ",
                      std::numeric_limits<Scalar>::max());
    }
    Tensor numbers = parameter.value();
    tensor::overwrite(numbers, values, site);
}

void fill_uniform(const char* name, Parameter& weight, Random& random, double bound,
                  const CallSite& site) {
    if (WithoutValues::lives()) return;
    fill(name, weight, tensor::uniform(weight.shape(), random, -bound, bound, site), site);
}

void fill_normal(const char* name, Parameter& weight, Random& random, double deviation,
                 const CallSite& site) {
    if (WithoutValues::lives()) return;
    fill(name, weight, tensor::normal(weight.shape(), random, 0, deviation, site), site);
}

}  // namespace

void constant(Parameter& parameter, double value, CallSite site) {
    check_set("init::constant", parameter, site);
    if (WithoutValues::lives()) return;
    fill("init::constant", parameter, tensor::full(parameter.shape(), value), site);
}

void zeros(Parameter& parameter, CallSite site) { constant(parameter, 0, site); }

void ones(Parameter& parameter, CallSite site) { constant(parameter, 1, site); }

void uniform(Parameter& parameter, Random& random, double low, double high, CallSite site) {
    check_set("init::uniform", parameter, site);
    if (WithoutValues::lives()) return;
    fill("init::uniform", parameter, tensor::uniform(parameter.shape(), random, low, high, site),
         site);
}

void normal(Parameter& parameter, Random& random, double mean, double deviation, CallSite site) {
    check_set("init::normal", parameter, site);
    if (WithoutValues::lives()) return;
    fill("init::normal", parameter,
         tensor::normal(parameter.shape(), random, mean, deviation, site), site);
}

void truncated_normal(Parameter& parameter, Random& random, double mean, double deviation,
                      CallSite site) {
    check_set("init::truncated_normal", parameter, site);
    if (WithoutValues::lives()) return;
    check_deviation("init::truncated_normal", mean, deviation, site);
    Tensor standard = Tensor::uninitialized(parameter.shape());
    Scalar* const entries = standard.writable_data();
    for (std::int64_t i = 0; i < standard.numel(); ++i) {
        double z = random.normal();
        while (z < -2 || z > 2) z = random.normal();
        entries[i] = static_cast<Scalar>(z);
    }
    fill("init::truncated_normal", parameter, standard * deviation + mean, site);
}

void xavier_uniform(Parameter& weight, Random& random, double gain, CallSite site) {
    const Fans fan = fans("init::xavier_uniform", weight, site);
    fill_uniform("init::xavier_uniform", weight, random, gain * std::sqrt(6 / (fan.in + fan.out)),
                 site);
}

void xavier_normal(Parameter& weight, Random& random, double gain, CallSite site) {
    const Fans fan = fans("init::xavier_normal", weight, site);
    fill_normal("init::xavier_normal", weight, random, gain * std::sqrt(2 / (fan.in + fan.out)),
                site);
}

void kaiming_uniform(Parameter& weight, Random& random, double gain, CallSite site) {
    const Fans fan = fans("init::kaiming_uniform", weight, site);
    fill_uniform("init::kaiming_uniform", weight, random, gain * std::sqrt(3 / fan.in), site);
}

void kaiming_normal(Parameter& weight, Random& random, double gain, CallSite site) {
    const Fans fan = fans("init::kaiming_normal", weight, site);
    fill_normal("init::kaiming_normal", weight, random, gain * std::sqrt(1 / fan.in), site);
}

}}}  // namespace heed::init
