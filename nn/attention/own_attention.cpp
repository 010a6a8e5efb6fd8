#include "own_attention.h"

#include "../../tensor/errors.h"
#include "attention_checks.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local OwnAttention* innermost_own = nullptr;

void check_shape(const char* what, const Variable& given, const Shape& expected,
                 const CallSite& site) {
    if (given.shape() == expected) return;
    fail_shape("OwnAttention", site, "your attention returned ", what, " of shape ", given.shape(),
               "; the shape must be ", expected);
}

}  // namespace

OwnAttention::OwnAttention(const Function& function, CallSite site)
    : function_(std::make_shared<const Function>(function)), outer_(innermost_own) {
    if (!function) fail_argument("OwnAttention", site, "the function is empty; give one to call");
    innermost_own = this;
}

OwnAttention::OwnAttention() : outer_(innermost_own) { innermost_own = this; }

// Searches the list, since objects on the heap may end in any order.
OwnAttention::~OwnAttention() {
    OwnAttention** link = &innermost_own;
    while (*link && *link != this) link = &(*link)->outer_;
    if (*link) *link = outer_;
}

const OwnAttention* OwnAttention::in_use() {
    return innermost_own && innermost_own->function_ ? innermost_own : nullptr;
}

Attention OwnAttention::operator()(const Variable& Q, const Variable& K, const Variable& V,
                                   const std::optional<Mask>& mask, CallSite site) const {
    const std::int64_t T_q = Q.dim(-2), T_k = K.dim(-2), d_v = V.dim(-1);
    const auto batch_of = [](const Shape& shape) { return shape.without_last(2); };
    const Shape weights =
        broadcast_shape(batch_of(Q.shape()).followed_by({T_q, T_k}),
                        batch_of(K.shape()).followed_by({T_q, T_k}), "OwnAttention", site);
    if (mask) check_mask("OwnAttention", *mask, weights, site);
    const Shape output =
        broadcast_shape(batch_of(weights).followed_by({T_q, d_v}),
                        batch_of(V.shape()).followed_by({T_q, d_v}), "OwnAttention", site);
    const OwnAttention none;                                     // while the function runs
    const std::shared_ptr<const Function> function = function_;  // which may end this object
    const Attention found = (*function)(Q, K, V, mask);
    check_shape("weights", found.weights, weights, site);
    check_shape("outputs", found.output, output, site);
    return found;
}

}}  // namespace heed
