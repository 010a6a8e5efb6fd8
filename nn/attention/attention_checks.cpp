#include "heed/nn/attention/attention_checks.h"

#include "heed/tensor/errors.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

void check_rank(const char* name, const char* letter, const Variable& x, const CallSite& site) {
    if (x.rank() >= 2) return;
    fail_shape(name,
               text(letter, " has shape ", x.shape(),
                    "; it needs two axes at the end, positions and features"),
               site);
}

}  // namespace

void check_ranks(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    check_rank(name, "Q", Q, site);
    check_rank(name, "K", K, site);
}

void check_features(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    check_ranks(name, Q, K, site);
    if (Q.dim(-1) == K.dim(-1)) return;
    fail_shape(name,
               text("Q has shape ", Q.shape(), ", K ", K.shape(),
                    "; their last axes must both be d_k, for each query is compared with each key"),
               site);
}

void check_operands(const char* name, const Variable& Q, const Variable& K, const Variable& V,
                    const CallSite& site) {
    check_ranks(name, Q, K, site);
    check_rank(name, "V", V, site);
    if (K.dim(-2) != V.dim(-2)) {
        fail_shape(name,
                   text("K has shape ", K.shape(), ", V ", V.shape(),
                        "; their second-to-last axes must both be T_k, for each key has one value"),
                   site);
    }
    const Shape of_scores =
        broadcast_shape(Q.shape().without_last(2), K.shape().without_last(2), name, site);
    broadcast_shape(of_scores, V.shape().without_last(2), name, site);
}

void check_source(const char* layer, const char* what, const Variable& source, std::int64_t d,
                  const CallSite& site) {
    if (source.rank() >= 2 && source.dim(-1) == d) return;
    fail_shape(layer, text(what, " has shape ", source.shape(), "; it must be [..., T, ", d, "]"),
               site);
}

void check_values(const char* layer, const Variable& key, const Variable& value,
                  const CallSite& site) {
    if (key.dim(-2) == value.dim(-2)) return;
    fail_shape(layer,
               text("key has shape ", key.shape(), ", value ", value.shape(),
                    "; their second-to-last axes must be equal, for each key has one value"),
               site);
}

}  // namespace HEED_PRECISION
}  // namespace heed
