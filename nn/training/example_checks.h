// The check of example numbers that the data sets share.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Errors: no examples (std::invalid_argument), one outside 0 ... size - 1 (std::out_of_range).
void check_examples(const char* data, const std::vector<std::int64_t>& examples, std::int64_t size,
                    const CallSite& site);

}}  // namespace heed
