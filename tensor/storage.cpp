// The memory of tensors. Entries start on a cache line, so that kernels load whole vectors.
#include "storage.h"

#include "runtime/memory.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using memory::cache_line;

// The space before the entries in a shared block: for the counts of shared_ptr and the Storage, and
// up to the next cache line.
constexpr std::size_t shared_bytes = 64;
constexpr std::size_t head_bytes = shared_bytes + cache_line - alignof(std::max_align_t);

std::size_t bytes_of(std::int64_t size) {
    if (size < 0 || size > INT64_MAX / 16) throw std::bad_alloc();
    return static_cast<std::size_t>(size) * sizeof(Scalar);
}

// Makes std::allocate_shared reserve space for the entries after the object.
template <class T>
struct WithRoom {
    using value_type = T;

    explicit WithRoom(std::size_t bytes) : block_bytes(bytes) {}
    template <class Other>
    WithRoom(const WithRoom<Other>& other) : block_bytes(other.block_bytes) {}

    T* allocate(std::size_t) {
        static_assert(sizeof(T) <= shared_bytes);
        return static_cast<T*>(memory::allocate(block_bytes));
    }
    void deallocate(T* block, std::size_t) noexcept { memory::deallocate(block, block_bytes); }
    template <class Other>
    bool operator==(const WithRoom<Other>& other) const {
        return block_bytes == other.block_bytes;
    }

    std::size_t block_bytes;
};

// The size of a block that holds only entries: large enough that it starts on a cache line.
std::size_t own_block_bytes(std::int64_t size) {
    return std::max(bytes_of(size), memory::largest_small_block + 1);
}

}  // namespace

struct Storage::Beside {};

Storage::Storage(std::int64_t size)
    : data_(static_cast<Scalar*>(memory::allocate(own_block_bytes(size)))), size_(size),
      owns_block_(true) {}

Storage::Storage(std::int64_t size, Beside) : data_(beside()), size_(size), owns_block_(false) {}

std::shared_ptr<Storage> Storage::make(std::int64_t size) {
    const std::size_t bytes = bytes_of(size);
    if (head_bytes + bytes > memory::largest_small_block) {
        return std::allocate_shared<Storage>(memory::Allocator<Storage>(), size);
    }
    return std::allocate_shared<Storage>(WithRoom<Storage>(head_bytes + bytes), size, Beside());
}

Storage::Storage(Scalar* entries, std::int64_t size)
    : data_(entries), size_(size), owns_block_(false) {}

std::shared_ptr<Storage> Storage::over(Scalar* entries, std::int64_t size,
                                       std::shared_ptr<void> owner) {
    const auto destroy = [kept = std::move(owner)](Storage* storage) { delete storage; };
    return std::shared_ptr<Storage>(new Storage(entries, size), destroy);
}

Storage::~Storage() {
    if (owns_block_) memory::deallocate(data_, own_block_bytes(size_));
}

// The first cache line after this object.
Scalar* Storage::beside() {
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(this + 1);
    return reinterpret_cast<Scalar*>((end + cache_line - 1) / cache_line * cache_line);
}

}}  // namespace heed
