// Small blocks come from operator new; each thread keeps some that it frees, by size, since glibc's
// malloc is as fast only for seven blocks of a size, and a graph has thousands. Large ones are kept
// for all threads behind one lock, since malloc returns them to the system, which must clear each
// page again.
#include "memory.h"

#include "../errors.h"
#include "../quote.h"

#ifndef _WIN32
#include <pthread.h>
#include <sys/mman.h>
#endif
#if defined(_WIN32) || defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace heed { inline namespace HEED_PRECISION {

namespace memory {
namespace {
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool checked_by_address = true;
#else
constexpr bool checked_by_address = false;
#endif

// Memory in use and kept may exceed the peak by a quarter of the peak plus this much.
constexpr std::int64_t idle_at_least = 16 << 20;

std::atomic<std::int64_t> in_use{0}, peak{0};

void count(std::int64_t growth) {
    const std::int64_t now = in_use.fetch_add(growth, std::memory_order_relaxed) + growth;
    std::int64_t before = peak.load(std::memory_order_relaxed);
    while (before < now && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
    }
}

bool keeps_memory() {
    static const bool answer = keeps(std::getenv("HEED_KEEP_MEMORY")) && !checked_by_address;
    return answer;
}

// Small blocks are counted by their thread first, since an atomic addition takes as long as malloc:
// the sum is added to the total when it is large, when the total is read, and at the thread's end.
constinit thread_local std::int64_t uncounted = 0;
constinit thread_local std::int64_t most_uncounted = 0;  // 0 before settle() and after AtEnd

void count_rest() {
    if (keeps_memory()) count(std::exchange(uncounted, 0));
}

// Small blocks that this thread freed: a stack for each size in steps of 16 bytes.
class KeptSmall {
  public:
    static constexpr std::size_t largest = 512;  // a node of the graph is smaller

    // A kept block of `bytes` or a few more; null if there is none.
    void* take(std::size_t bytes) {
        if (bytes > largest) return nullptr;
        const std::size_t steps = (bytes + 15) / 16;
        Block* const block = top_[steps];
        if (!block) return nullptr;
        top_[steps] = block->below;
        room_ += static_cast<std::int64_t>(16 * steps);
        return block;
    }

    // False, and the block is not kept, if it is too large or enough are kept already.
    bool give(void* block, std::size_t bytes) {
        const std::size_t steps = (bytes + 15) / 16;
        const std::int64_t size = static_cast<std::int64_t>(16 * steps);
        if (bytes > largest || size > room_) return false;
        room_ -= size;
        top_[steps] = new (block) Block{top_[steps]};
        return true;
    }

    void release() {
        for (std::size_t bytes = 0; bytes <= largest; bytes += 16) {
            while (void* const block = take(bytes)) ::operator delete(block);
        }
    }

    // Keeps up to `most` bytes from now on; initially none.
    void keep(std::int64_t most) {
        release();
        most_ = room_ = most;
    }

    std::int64_t bytes() const { return most_ - room_; }

  private:
    struct Block {
        Block* below;
    };

    Block* top_[largest / 16 + 1] = {};
    std::int64_t most_ = 0, room_ = 0;
};
constinit thread_local KeptSmall kept_small;

// Out of line, so that counting takes a few instructions.
[[gnu::noinline]] void settle() {
    struct AtEnd {
        AtEnd() {
            most_uncounted = keeps_memory() ? 1 << 16 : INT64_MAX;
            kept_small.keep(keeps_memory() ? 1 << 20 : 0);
        }
        ~AtEnd() {
            most_uncounted = 0;
            kept_small.keep(0);
            count_rest();
        }
    };
    thread_local const AtEnd at_end;
    count_rest();
}

void count_small(std::int64_t growth) {
    uncounted += growth;
    if (uncounted >= most_uncounted || uncounted <= -most_uncounted) settle();
}

// The size of a large block: `bytes` rounded up to an eighth of the power of two below, so that at
// most an eighth is unused, and most blocks can be reused by the next tensor.
std::size_t rounded(std::size_t bytes) {
    const int doubling = 63 - __builtin_clzll(bytes - 1);
    const std::size_t eighth = std::size_t{1} << (doubling - 3);
    return (bytes + eighth - 1) / eighth * eighth;
}

void* large_from_system(std::size_t bytes) {
#ifdef _WIN32
    return _aligned_malloc(bytes, cache_line);
#else
    std::size_t alignment = cache_line;
#ifdef MADV_HUGEPAGE
    // Huge pages of 2 MiB instead of 4 KiB: a walk over a matrix then has few TLB misses, and fresh
    // memory few page faults. Linux provides them on request.
    constexpr std::size_t huge_page = 2 << 20;
    if (bytes >= huge_page) alignment = huge_page;
#endif
    void* block = nullptr;
    if (posix_memalign(&block, alignment, bytes) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
    if (alignment == huge_page) madvise(block, bytes, MADV_HUGEPAGE);  // small pages work as well
#endif
    return block;
#endif
}

void large_to_system(void* block) {
#ifdef _WIN32
    _aligned_free(block);
#else
    std::free(block);
#endif
}

// Large blocks that were freed.
class Kept {
  public:
    // Never destroyed, since destructors that run at the very end free memory. Locked around a
    // fork, so that a child never finds it locked by a thread the child lacks.
    static Kept& get() {
        static Kept* const kept = [] {
            Kept* const made = new Kept;
#ifndef _WIN32
            const auto unlock = [] { get().mutex_.unlock(); };
            pthread_atfork([] { get().mutex_.lock(); }, unlock, unlock);
#endif
            return made;
        }();
        return *kept;
    }

    // The block of this size that was freed last; null if there is none.
    void* take(std::size_t size) {
        const Lock lock(mutex_);
        for (std::size_t i = freed_.size(); i-- > 0;) {
            if (freed_[i].size != size) continue;
            void* const block = freed_[i].block;
            freed_.erase(freed_.begin() + static_cast<std::ptrdiff_t>(i));
            bytes_ -= static_cast<std::int64_t>(size);
            return block;
        }
        return nullptr;
    }

    void give(void* block, std::size_t size) {
        const Lock lock(mutex_);
        freed_.push_back({block, size});
        bytes_ += static_cast<std::int64_t>(size);
    }

    // Gives the blocks freed longest ago back to the system, as long as there are more bytes.
    void shrink_to(std::int64_t most) {
        const Lock lock(mutex_);
        auto end = freed_.begin();
        for (; bytes_ > most && end != freed_.end(); ++end) {
            large_to_system(end->block);
            bytes_ -= static_cast<std::int64_t>(end->size);
        }
        freed_.erase(freed_.begin(), end);
    }

    std::int64_t bytes() {
        const Lock lock(mutex_);
        return bytes_;
    }

  private:
    using Lock = std::lock_guard<std::mutex>;
    struct Freed {
        void* block;
        std::size_t size;
    };

    std::mutex mutex_;
    std::vector<Freed> freed_;  // in the order of freeing
    std::int64_t bytes_ = 0;
};

template <class Ask>
void* from_system(const Ask& ask) {
    if (void* const block = ask()) return block;
    release_memory();
    if (void* const block = ask()) return block;
    throw std::bad_alloc();
}

void* allocate_large(std::size_t bytes) {
    if (bytes > largest_block) throw std::bad_alloc();
    const std::size_t size = rounded(bytes);
    const auto ask = [size] { return large_from_system(size); };
    if (!keeps_memory()) return from_system(ask);
    const std::int64_t growth = static_cast<std::int64_t>(size);
    void* block = Kept::get().take(size);
    if (!block) {
        const std::int64_t needed = in_use + growth;
        const std::int64_t most = std::max<std::int64_t>(peak, needed);
        Kept::get().shrink_to(most + most / 4 + idle_at_least - needed);
        block = from_system(ask);
    }
    count(growth);
    return block;
}

void deallocate_large(void* block, std::size_t bytes) {
    if (!keeps_memory()) return large_to_system(block);
    const std::size_t size = rounded(bytes);
    count(-static_cast<std::int64_t>(size));
    try {
        Kept::get().give(block, size);
    } catch (const std::bad_alloc&) {  // no memory to list it
        large_to_system(block);
    }
}

}  // namespace

bool keeps(const char* setting) {
    const std::string wanted = setting ? setting : "";
    if (wanted != "" && wanted != "0" && wanted != "1") {
        throw std::invalid_argument(
            text("HEED_KEEP_MEMORY is ", in_quotes(wanted),
                 "; it must be 0 (give memory back at once) or 1 (keep it for reuse)"));
    }
    return wanted != "0";
}

void* allocate(std::size_t bytes) {
    if (bytes > largest_small_block) return allocate_large(bytes);
    const std::int64_t growth = static_cast<std::int64_t>(bytes);
    count_small(growth);
    if (void* const block = kept_small.take(bytes)) return block;
    const std::size_t size = std::max<std::size_t>(16, (bytes + 15) / 16 * 16);
    const auto ask = [size] { return ::operator new(size, std::nothrow); };
    if (void* const block = ask()) return block;
    try {
        return from_system(ask);
    } catch (const std::bad_alloc&) {
        count_small(-growth);
        throw;
    }
}

void deallocate(void* block, std::size_t bytes) noexcept {
    if (bytes > largest_small_block) return deallocate_large(block, bytes);
    count_small(-static_cast<std::int64_t>(bytes));
    if (!kept_small.give(block, bytes)) ::operator delete(block);
}

}  // namespace memory

MemoryUse memory_use() {
    memory::settle();
    const std::int64_t kept = memory::Kept::get().bytes() + memory::kept_small.bytes();
    return {memory::in_use, kept, memory::peak};
}

void reset_memory_peak() {
    memory::settle();
    memory::peak = memory::in_use.load();
}

void release_memory() {
    memory::Kept::get().shrink_to(0);
    memory::kept_small.release();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}}  // namespace heed
