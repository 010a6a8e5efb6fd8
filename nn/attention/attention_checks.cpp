#include "attention_checks.h"

#include "../../tensor/errors.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_rank(const char* name, const char* letter, const Variable& x, const CallSite& site) {
    if (x.rank() >= 2) return;
    fail_shape(name, site, letter, " has shape ", x.shape(),
               "; it must end in two axes, positions and features");
}

// The length of axis -i of the batch, so that aligned batches of two operands have the same i; 1
// where there is no such axis.
std::int64_t batch_length(const Variable& x, int i) {
    return i + 2 <= x.rank() ? x.dim(-i - 2) : 1;
}

// "axis 0", counted from the front if both have equally many axes.
std::string axis_text(const Variable& a, const Variable& b, int i) {
    const int from_the_end = i + 2;
    return text("axis ", a.rank() == b.rank() ? a.rank() - from_the_end : -from_the_end);
}

// Are these heads, [..., h, T, d], with fewer key heads, each shared by a group of query heads?
bool are_grouped(const Variable& a, const Variable& b, int i) {
    const std::int64_t of_a = batch_length(a, i), of_b = batch_length(b, i);
    return i == 1 && a.rank() >= 4 && b.rank() >= 4 && of_b > 0 && of_a % of_b == 0;
}

// The axes before the last two must broadcast.
void check_batch(const char* name, const char* of_a, const Variable& a, const char* of_b,
                 const Variable& b, const CallSite& site) {
    const int most = std::max(a.rank(), b.rank()) - 2;
    for (int i = most; i >= 1; --i) {
        const std::int64_t in_a = batch_length(a, i), in_b = batch_length(b, i);
        if (in_a == in_b || in_a == 1 || in_b == 1) continue;
        const std::string shapes =
            text("; ", of_a, " has shape ", a.shape(), " and ", of_b, " ", b.shape());
        if (are_grouped(a, b, i)) {
            fail_shape(name, site, of_a, " has ", in_a, " heads and ", of_b, " ", in_b, " (",
                       axis_text(a, b, i), " of [..., h, T, d])", shapes,
                       "; this call does not support heads that share keys and values: repeat the "
                       "heads of ",
                       of_b, " until there are ", in_a);
        }
        fail_shape(name, site, "the batch of ", of_a, " is ", in_a, " and that of ", of_b, " is ",
                   in_b, " (", axis_text(a, b, i), ")", shapes,
                   "; the axes before the last two must be equal, or 1");
    }
}

void check_scores(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    check_batch(name, "Q", Q, "K", K, site);
    const Shape batch =
        broadcast_shape(Q.shape().without_last(2), K.shape().without_last(2), name, site);
    batch.followed_by({Q.dim(-2), K.dim(-2)}, site);  // fails if there are too many scores
}

}  // namespace

void check_ranks(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    check_rank(name, "Q", Q, site);
    check_rank(name, "K", K, site);
}

void check_scored(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    check_ranks(name, Q, K, site);
    check_scores(name, Q, K, site);
}

void check_features(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    check_scored(name, Q, K, site);
    check_d_k(name, Q, K, site);
}

void check_d_k(const char* name, const Variable& Q, const Variable& K, const CallSite& site) {
    if (Q.dim(-1) == K.dim(-1)) return;
    fail_shape(name, site, "Q has shape ", Q.shape(), " and K ", K.shape(),
               "; their last axes must both be d_k, since each query is compared with each key");
}

void check_operands(const char* name, const Variable& Q, const Variable& K, const Variable& V,
                    const CallSite& site) {
    check_ranks(name, Q, K, site);
    check_rank(name, "V", V, site);
    if (K.dim(-2) != V.dim(-2)) {
        fail_shape(name, site, "K has shape ", K.shape(), " and V ", V.shape(),
                   "; their second-to-last axes must both be T_k, since each key has one value");
    }
    check_scores(name, Q, K, site);
    check_batch(name, "Q", Q, "V", V, site);
    check_batch(name, "K", K, "V", V, site);
}

void check_mask(const char* name, const Mask& mask, const Shape& scores, const CallSite& site) {
    if (broadcasts_to(mask.shape(), scores)) return;
    fail_shape(name, site, "the mask has shape ", mask.shape(),
               ", but the scores [..., T_q, T_k] have ", scores,
               "; the mask must broadcast to the scores");
}

void check_source(const char* layer, const char* what, const Variable& source, std::int64_t d,
                  const CallSite& site) {
    if (source.rank() >= 2 && source.dim(-1) == d) return;
    fail_shape(layer, site, what, " has shape ", source.shape(), "; it must be [..., T, ", d, "]");
}

void check_sources(const char* layer, const Source& query, const Source& key, const Source& value,
                   const CallSite& site) {
    check_source(layer, "query", query.x, query.d, site);
    check_source(layer, "key", key.x, key.d, site);
    check_source(layer, "value", value.x, value.d, site);
    if (key.x.dim(-2) != value.x.dim(-2)) {
        fail_shape(layer, site, "key has shape ", key.x.shape(), " and value ", value.x.shape(),
                   "; their second-to-last axes must be equal, since each key has one value");
    }
    check_batch(layer, "query", query.x, "key", key.x, site);
    check_batch(layer, "query", query.x, "value", value.x, site);
    check_batch(layer, "key", key.x, "value", value.x, site);
}

void check_room(const char* name, const Variable& Q, const Variable& K, const char* new_axis,
                const CallSite& site) {
    const Variable& longer = Q.rank() < K.rank() ? K : Q;
    if (longer.rank() < max_rank) return;
    fail_shape(name, site, "shape ", longer.shape(), " has ", longer.rank(), " axes; ", new_axis,
               " need one more, and a tensor has at most ", max_rank);
}

}}  // namespace heed
