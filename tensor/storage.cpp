// The memory behind tensors. It begins at a cache line, so that kernels read whole vectors.
#include "tensor/storage.h"

#include <new>

namespace heed::inline HEED_PRECISION {

namespace {
constexpr std::align_val_t cache_line{64};
}

Storage::Storage(std::int64_t size) : size_(size) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(Scalar);
    data_ = static_cast<Scalar*>(::operator new(bytes, cache_line));
}

Storage::~Storage() { ::operator delete(data_, cache_line); }

}  // namespace heed::inline HEED_PRECISION
