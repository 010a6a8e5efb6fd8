#include "positions.h"

namespace heed { inline namespace HEED_PRECISION {

Variable Positions::added_to(const Variable& x, std::int64_t, CallSite) const { return x; }

Variable Positions::turned(const Variable& x, std::int64_t, CallSite) const { return x; }

std::optional<Variable> Positions::bias(std::int64_t, std::int64_t, std::int64_t, CallSite) const {
    return std::nullopt;
}

AnyPositions& AnyPositions::operator=(const AnyPositions& other) {
    if (this == &other) return *this;
    if (!other.held_) {
        held_.reset();
    } else if (!held_ || !held_->assign(*other.held_)) {
        held_ = other.held_->copy();
    }
    return *this;
}

}}  // namespace heed
