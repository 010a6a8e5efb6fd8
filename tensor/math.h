// exp, log, sin, cos and pow of one number: those of <cmath> differ in the last bit from machine to
// machine, these are the same everywhere. tensor/ops/functions.h has them for tensors.
#pragma once

#include "scalar.h"

namespace heed { inline namespace HEED_PRECISION { namespace math {

double exp(double x);
double log(double x);
double sin(double x);  // x in radians
double cos(double x);
double pow(double x, double y);

}}}  // namespace heed::math
