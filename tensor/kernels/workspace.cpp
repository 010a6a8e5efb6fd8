#include "tensor/kernels/workspace.h"

#include "tensor/storage.h"

namespace heed::inline HEED_PRECISION::kernels {

Scalar* workspace() {
    thread_local Storage mine(workspace_bytes / static_cast<std::int64_t>(sizeof(Scalar)));
    return mine.data();
}

}  // namespace heed::inline HEED_PRECISION::kernels
