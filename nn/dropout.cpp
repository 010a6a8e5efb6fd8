#include "dropout.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Each entry is true with probability p; drawn in row-major order.
BoolTensor draw(const Shape& shape, double p, Random& random) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(shape.numel()));
    for (std::uint8_t& byte : bytes) byte = random.uniform() < p;
    return BoolTensor::from_bytes(std::move(bytes), shape);
}

}  // namespace

Dropout::Dropout(double p, Random& random, CallSite site) : p_(0), random_(random.next()) {
    set_p(p, site);
}

void Dropout::set_p(double p, CallSite site) {
    if (!(p >= 0 && p < 1)) {
        fail_argument("Dropout", site, "p is ", p,
                      "; the probability that an entry is dropped must be at least 0 and below 1");
    }
    p_ = p;
}

Variable Dropout::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Dropout", {&x}, site);
    if (!draws()) return layer.gives(x);
    const BoolTensor dropped = draw(x.shape(), p_, random_);
    const Variable kept = masked_fill(x, dropped, 0);
    const Variable scaled = kept * (1 / (1 - p_));
    return layer.gives(scaled);
}

std::string Dropout::details() const { return text("p=", p_); }

}}  // namespace heed
