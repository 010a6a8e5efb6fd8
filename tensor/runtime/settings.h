// The environment variables the library reads: HEED_KERNELS, HEED_THREADS, HEED_KEEP_MEMORY.
#pragma once

#include "../scalar.h"

namespace heed { inline namespace HEED_PRECISION {

// Reads all of them now, where the library would on its first use: a program that calls this first
// refuses a wrong one before it has printed anything. Error: a variable with a value it cannot have
// (std::invalid_argument, which names the variable and its values).
void check_settings();

}}  // namespace heed
