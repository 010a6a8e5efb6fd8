#include "norm_checks.h"

#include "../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

void check_norm(const char* layer, const Dims& shape, double eps, const CallSite& site) {
    bool positive = !shape.empty();
    for (const std::int64_t length : shape) positive = positive && length >= 1;
    if (!positive) {
        fail_argument(layer, site, "the shape to normalise over is ", shape,
                      "; it must have an axis, and no length below 1");
    }
    if (!(eps >= 0 && eps < infinity)) {
        fail_argument(layer, site, "eps is ", eps, "; it must be finite and not negative");
    }
}

void check_normalized(const char* layer, const Variable& x, const Shape& shape,
                      const CallSite& site) {
    if (ends_in(x.shape(), shape)) return;
    fail_shape(layer, site, "x has shape ", x.shape(), ", this layer normalises over ", shape,
               "; the last axes of x must be these");
}

}}  // namespace heed
