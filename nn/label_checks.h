// Range check for integer labels: ids of table rows, or classes.
#pragma once

#include "../tensor/index_tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// Error: an entry of `labels` outside 0 ... count - 1 that is not `allowed` (std::out_of_range,
// which gives its index). `what` names one entry ("id"), `things` what is counted.
void check_labels(const char* operation, const char* what, const IndexTensor& labels,
                  std::int64_t count, const char* things, const CallSite& site,
                  std::optional<std::int64_t> allowed = std::nullopt);

}}  // namespace heed
