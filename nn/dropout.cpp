#include "dropout.h"

#include "../autograd/ops.h"
#include "../tensor/errors.h"
#include "../tensor/room.h"
#include "running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Each entry is true with probability p; drawn in row-major order.
BoolTensor draw(const Shape& shape, double p, Random& random, const CallSite& site) {
    std::vector<std::uint8_t> bytes = room_for<std::uint8_t>("Dropout", shape, site);
    bytes.resize(static_cast<std::size_t>(shape.numel()));
    for (std::uint8_t& byte : bytes) byte = random.uniform() < p;
    return BoolTensor::from_bytes(std::move(bytes), shape);
}

}  // namespace

void check_dropout(double p, const CallSite& site) {
    if (p >= 0 && p < 1) return;
    fail_argument("Dropout", site, "p is ", p,
                  "; the probability that an entry is dropped must be at least 0 and below 1");
}

Dropout::Dropout(double p, Random& random, CallSite site) : p_(0), random_(0) {
    set_p(p, site);
    random_ = Random(random.next());
}

void Dropout::set_p(double p, CallSite site) {
    check_dropout(p, site);
    p_ = p;
}

Variable Dropout::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Dropout", {&x}, site);
    if (!draws()) return layer.gives(x);
    const BoolTensor dropped = draw(x.shape(), p_, random_, site);
    const Variable kept = masked_fill(x, dropped, 0);
    const Variable scaled = kept * (1 / (1 - p_));
    return layer.gives(scaled);
}

std::string Dropout::details() const { return text("p=", p_); }

}}  // namespace heed
