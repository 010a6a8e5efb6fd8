// What queries, keys and values must be, in the words of one place. All errors are ShapeErrors.
#pragma once

#include "heed/autograd/variable.h"

namespace heed {
inline namespace HEED_PRECISION {

// Q [..., T_q, d_q] and K [..., T_k, d_k]: two axes at the end.
void check_ranks(const char* name, const Variable& Q, const Variable& K, const CallSite& site);
// The same, and d_q = d_k.
void check_features(const char* name, const Variable& Q, const Variable& K, const CallSite& site);
// Q, K and V [..., T_k, d_v] with two axes at the end, a value for each key, and leading axes that
// broadcast: what holds whatever the score is.
void check_operands(const char* name, const Variable& Q, const Variable& K, const Variable& V,
                    const CallSite& site);

// Is what a layer makes queries, keys or values from [..., T, d]?
void check_source(const char* layer, const char* what, const Variable& source, std::int64_t d,
                  const CallSite& site);
// Is there a value for each key?
void check_values(const char* layer, const Variable& key, const Variable& value,
                  const CallSite& site);

}  // namespace HEED_PRECISION
}  // namespace heed
