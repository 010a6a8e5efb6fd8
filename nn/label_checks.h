// Whole numbers that count rows of a table or classes: each must lie within.
#pragma once

#include "heed/tensor/index_tensor.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// Error: a number of `labels` outside 0 ... count - 1 that is not `allowed` (std::out_of_range,
// which says where it stands). `what` names one of them ("id"), `things` what they count.
void check_labels(const char* operation, const char* what, const IndexTensor& labels,
                  std::int64_t count, const char* things, const CallSite& site,
                  std::optional<std::int64_t> allowed = std::nullopt);

}  // namespace HEED_PRECISION
}  // namespace heed
