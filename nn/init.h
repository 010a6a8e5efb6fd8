// Initial values for parameters, under their usual names. Each overwrites the parameter in place,
// drawing from `random` in row-major order, and returns nothing.
// A weight is [out, in]: fan_in is in, fan_out is out, both times the entries of any further axes.
#pragma once

#include "../tensor/random.h"
#include "parameter.h"

namespace heed { inline namespace HEED_PRECISION { namespace init {

// Errors of all (std::invalid_argument): a parameter that was never set; one with fewer than two
// axes, where a fan is needed; a number that is not finite, or that makes values which are not, as
// 1e300 does in float; low > high; a negative deviation.

void constant(Parameter& parameter, double value, CallSite site = CallSite::here());
void zeros(Parameter& parameter, CallSite site = CallSite::here());
void ones(Parameter& parameter, CallSite site = CallSite::here());
// Uniform in [low, high).
void uniform(Parameter& parameter, Random& random, double low, double high,
             CallSite site = CallSite::here());
void normal(Parameter& parameter, Random& random, double mean = 0, double deviation = 1,
            CallSite site = CallSite::here());
// A normal distribution; draws more than two deviations from the mean are drawn again.
void truncated_normal(Parameter& parameter, Random& random, double mean = 0, double deviation = 1,
                      CallSite site = CallSite::here());

// Variance gain²·2/(fan_in + fan_out), which keeps the variance of outputs and gradients (Glorot
// and Bengio 2010, equations 12 and 16): uniform in ±gain·√(6/(fan_in + fan_out)), or normal.
void xavier_uniform(Parameter& weight, Random& random, double gain = 1,
                    CallSite site = CallSite::here());
void xavier_normal(Parameter& weight, Random& random, double gain = 1,
                   CallSite site = CallSite::here());
// Variance gain²/fan_in, which keeps the variance of a relu's outputs (He et al. 2015, equation
// 10). The default gain is relu's, √2.
inline constexpr double gain_of_relu = 1.4142135623730951;
void kaiming_uniform(Parameter& weight, Random& random, double gain = gain_of_relu,
                     CallSite site = CallSite::here());
void kaiming_normal(Parameter& weight, Random& random, double gain = gain_of_relu,
                    CallSite site = CallSite::here());

}}}  // namespace heed::init
