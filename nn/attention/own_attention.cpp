#include "heed/nn/attention/own_attention.h"

#include "heed/tensor/errors.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

thread_local const OwnAttention* innermost = nullptr;

// For its lifetime, no OwnAttention is in use.
class Suspended {
  public:
    Suspended() : was_(innermost) { innermost = nullptr; }
    ~Suspended() { innermost = was_; }
    Suspended(const Suspended&) = delete;
    Suspended& operator=(const Suspended&) = delete;

  private:
    const OwnAttention* was_;
};

void check_shape(const char* what, const Variable& given, const Shape& expected,
                 const CallSite& site) {
    if (given.shape() == expected) return;
    fail_shape("OwnAttention",
               text("your attention returns ", what, " of shape ", given.shape(),
                    "; they must have ", expected),
               site);
}

}  // namespace

OwnAttention::OwnAttention(const Function& function, CallSite site)
    : function_(function), outer_(innermost) {
    if (!function) fail_argument("OwnAttention", "the function is empty; give one to call", site);
    innermost = this;
}

OwnAttention::~OwnAttention() { innermost = outer_; }

const OwnAttention* OwnAttention::in_use() { return innermost; }

Attention OwnAttention::operator()(const Variable& Q, const Variable& K, const Variable& V,
                                   const std::optional<Mask>& mask, CallSite site) const {
    const std::int64_t T_q = Q.dim(-2), T_k = K.dim(-2), d_v = V.dim(-1);
    const auto batch_of = [](const Shape& shape) { return shape.without_last(2); };
    Shape weights =
        broadcast_shape(batch_of(Q.shape()).followed_by({T_q, T_k}),
                        batch_of(K.shape()).followed_by({T_q, T_k}), "OwnAttention", site);
    if (mask) weights = broadcast_shape(weights, mask->shape(), "OwnAttention", site);
    const Shape output =
        broadcast_shape(batch_of(weights).followed_by({T_q, d_v}),
                        batch_of(V.shape()).followed_by({T_q, d_v}), "OwnAttention", site);
    const Suspended while_it_runs;
    const Attention found = function_(Q, K, V, mask);
    check_shape("weights", found.weights, weights, site);
    check_shape("outputs", found.output, output, site);
    return found;
}

}  // namespace HEED_PRECISION
}  // namespace heed
