// The kernel tables, one for each way the loops are compiled. CMake defines HEED_HAS_AVX2 and
// HEED_HAS_AVX512 if a build has those.
#pragma once

#include "kernels.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

namespace plain {
extern const Table table;
}
namespace portable {
extern const Table table;
}
namespace avx2 {
extern const Table table;
}
namespace avx512 {
extern const Table table;
}

}}}  // namespace heed::kernels
