#include "head_axes.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../argument_checks.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {

Variable split_heads(const Variable& x, std::int64_t num_heads, CallSite site) {
    if (x.rank() < 2 || num_heads < 1 || x.dim(-1) % num_heads != 0) {
        fail_shape("split_heads", site, "x has shape ", x.shape(),
                   "; it must be [..., T, h·d] with h = ", num_heads, " heads");
    }
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < x.rank() - 1; ++axis) dims.push_back(x.dim(axis));
    dims.push_back(num_heads);
    dims.push_back(x.dim(-1) / num_heads);
    const Variable side_by_side = reshape(x, Dims(dims, site), site);  // [..., T, h, d]
    const Variable heads = transpose(side_by_side, -3, -2, site);      // [..., h, T, d]
    return heads;
}

Variable merge_heads(const Variable& x, CallSite site) {
    if (x.rank() < 3) {
        fail_shape("merge_heads", site, "x has shape ", x.shape(), "; it must be [..., h, T, d]");
    }
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < x.rank() - 3; ++axis) dims.push_back(x.dim(axis));
    dims.push_back(x.dim(-2));
    dims.push_back(x.dim(-3) * x.dim(-1));
    const Variable side_by_side = transpose(x, -3, -2, site);   // [..., T, h, d]
    const Variable merged = reshape(side_by_side, dims, site);  // [..., T, h·d]
    return merged;
}

Variable repeat_heads(const Variable& x, std::int64_t times, CallSite site) {
    if (x.rank() < 3) {
        fail_shape("repeat_heads", site, "x has shape ", x.shape(), "; it must be [..., h, T, d]");
    }
    check_sizes("repeat_heads", {{"times", times}}, site);
    if (times == 1) return x;
    const std::int64_t h = x.dim(-3);
    const Shape batch = x.shape().without_last(3);
    const Shape in_groups = batch.followed_by({h, times, x.dim(-2), x.dim(-1)}, site);
    const Shape as_heads = batch.followed_by({h * times, x.dim(-2), x.dim(-1)}, site);
    const Variable groups =
        expand(unsqueeze(x, -3, site), in_groups, site);        // [..., h, times, T, d]
    const Variable repeated = reshape(groups, as_heads, site);  // [..., h·times, T, d]
    return repeated;
}

namespace {
// A table [n, T_k] with B = T_q = n: are its rows queries or sequences?
bool has_two_meanings(const Mask& mask, const Variable& query) {
    if (!mask.is_from_plain_table() || mask.shape().rank() != 2 || query.rank() < 3) return false;
    const std::int64_t B = query.dim(0), T_q = query.dim(-2);
    return B > 1 && B == T_q && mask.T_q() == B;
}

}  // namespace

void check_mask_rank(const char* layer, const std::optional<Mask>& mask, const Variable& query,
                     const Variable& key, const CallSite& site) {
    if (!mask) return;
    const int rank_of_scores = std::max(query.rank(), key.rank()) + 1;
    if (has_two_meanings(*mask, query)) {
        fail_shape(layer, site, "the mask was made from a table ", mask->shape(),
                   " and the query has shape ", query.shape(),
                   ": the table could be [T_q, T_k] or [B, T_k]; for the keys of each "
                   "sequence use Mask::allowing_keys or Mask::blocking_keys, for pairs of a query "
                   "and a key Mask::allowing_pairs or Mask::blocking_pairs");
    }
    if (mask->shape().rank() == 2 || mask->shape().rank() == rank_of_scores) return;
    fail_shape(layer, site, "the mask has shape ", mask->shape(), ", so ", mask->shape().rank(),
               " axes; it must have 2, [T_q, T_k], or the ", rank_of_scores,
               " of the scores, [..., h, T_q, T_k], where h and the batch may be 1");
}

std::optional<Mask> without_heads(const std::optional<Mask>& mask, CallSite site) {
    if (!mask || mask->shape().rank() == 2) return mask;
    const Shape& shape = mask->shape();
    if (shape.dim(-3) != 1) {
        fail_shape("without_heads", site, "the mask has shape ", shape, ", so ", shape.dim(-3),
                   " heads; there is only one");
    }
    const BoolTensor allowed = mask->allowed().reshape(shape.without(shape.rank() - 3), site);
    return Mask::allowing(allowed, site);
}

}}  // namespace heed
