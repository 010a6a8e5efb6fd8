// Checks of queries, keys and values, in one place so that messages agree. All errors are
// ShapeErrors.
#pragma once

#include "../../autograd/variable.h"
#include "../../tensor/mask.h"

namespace heed { inline namespace HEED_PRECISION {

// Q [..., T_q, d_q] and K [..., T_k, d_k]: at least two axes.
void check_ranks(const char* name, const Variable& Q, const Variable& K, const CallSite& site);
// The same, leading axes that broadcast, and no more scores than memory can be addressed.
void check_scored(const char* name, const Variable& Q, const Variable& K, const CallSite& site);
// The same, and d_q = d_k.
void check_features(const char* name, const Variable& Q, const Variable& K, const CallSite& site);
// d_q = d_k only, for operands that are otherwise checked.
void check_d_k(const char* name, const Variable& Q, const Variable& K, const CallSite& site);
// Q, K and V [..., T_k, d_v]: at least two axes, one value for each key, and leading axes that
// broadcast. This holds for any score.
void check_operands(const char* name, const Variable& Q, const Variable& K, const Variable& V,
                    const CallSite& site);

// The mask must broadcast to the scores [..., T_q, T_k].
void check_mask(const char* name, const Mask& mask, const Shape& scores, const CallSite& site);

// The source of a layer's queries, keys or values must be [..., T, d].
void check_source(const char* layer, const char* what, const Variable& source, std::int64_t d,
                  const CallSite& site);
// Those of all three, with one value for each key, and leading axes that broadcast.
struct Source {
    const Variable& x;
    std::int64_t d;
};
void check_sources(const char* layer, const Source& query, const Source& key, const Source& value,
                   const CallSite& site);
// There must be room for a new axis, made by "the heads" or "pairs of a query and a key".
void check_room(const char* name, const Variable& Q, const Variable& K, const char* new_axis,
                const CallSite& site);

}}  // namespace heed
