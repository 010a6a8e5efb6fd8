#include "math.h"

#include "kernels/math.h"

namespace heed { inline namespace HEED_PRECISION { namespace math {

double exp(double x) { return kernels::math::exp(x); }
double log(double x) { return kernels::math::log(x); }
double sin(double x) { return kernels::math::sin(x); }
double cos(double x) { return kernels::math::cos(x); }
double pow(double x, double y) { return kernels::math::pow(x, y); }

}}}  // namespace heed::math
