#include "settings.h"

#include "../kernels/kernels.h"
#include "memory.h"

#include <cstdlib>

namespace heed { inline namespace HEED_PRECISION {

void check_settings() {
    memory::keeps(std::getenv("HEED_KEEP_MEMORY"));
    kernels::active();  // reads HEED_THREADS, too
}

}}  // namespace heed
