// The environment variables the library reads: HEED_KERNELS, HEED_THREADS, HEED_KEEP_MEMORY.
#pragma once

#include "../scalar.h"

namespace heed { inline namespace HEED_PRECISION {

// Reads all of them now, instead of on the library's first use: a program that calls this first
// rejects a wrong one before it has printed anything. Error: a variable with an invalid value
// (std::invalid_argument, which names the variable and its valid values).
void check_settings();

}}  // namespace heed
