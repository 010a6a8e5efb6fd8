// Store: the kept memory of all threads, behind one lock. Each thread has its own lists in front of
// it (memory.cpp), so that small blocks seldom need the lock.
#pragma once

#include "memory_sizes.h"

#include <mutex>

namespace heed { inline namespace HEED_PRECISION { namespace memory {

// A free block. Its list's link is stored in the block itself, so that freeing never allocates.
struct Block {
    Block* next;
};

// Small blocks of one size are cut from chunks, which start at multiples of chunk_alignment, so
// that a block's address tells its chunk. (The heap needs some bytes between two chunks.)
static constexpr std::size_t chunk_alignment = 65536;
static constexpr std::size_t chunk_bytes = chunk_alignment - cache_line;

struct Chunk {
    Chunk* next;
    int cut;   // blocks cut from it so far
    int free;  // how many of them are in the store; counted only when chunks are released
};
static_assert(sizeof(Chunk) <= cache_line);

struct SmallBlocks {
    Block* free = nullptr;
    Chunk* chunks = nullptr;  // blocks are cut from the first
    char* uncut = nullptr;
    std::size_t uncut_bytes = 0;
};

// A free large block. Each size has a list, in the order of freeing.
struct LargeBlock {
    LargeBlock* older;
    LargeBlock* newer;
    std::uint64_t freed_at;
};

struct LargeBlocks {
    LargeBlock* newest = nullptr;
    LargeBlock* oldest = nullptr;
};

// Zero-initialised and never destroyed, since destructors that run at the very end free memory.
class Store {
  public:
    // `unnoted`, in each call: by how much use has grown in the calling thread's lists since the
    // last call; added to the total here, and set to 0.

    // A list of up to `wanted` blocks, at least one; `taken` is their number.
    Block* take_small(int size_class, int wanted, int& taken, std::int64_t& unnoted);
    void give_small(int size_class, Block* first, Block* last, std::int64_t& unnoted);
    void* take_large(int size_class, std::int64_t& unnoted);
    void give_large(int size_class, void* block, std::int64_t& unnoted);

    void release();
    // Around a fork, so that a child never finds the store in the hands of a thread it lacks.
    void hold() { mutex_.lock(); }
    void let_go() { mutex_.unlock(); }
    MemoryUse use(std::int64_t& unnoted);
    void reset_peak(std::int64_t& unnoted);

  private:
    void note(std::int64_t growth);
    void add_chunk(int size_class, Chunk* chunk);
    Block* cut(int size_class);
    void release_chunks(int size_class);
    void* from_system(std::size_t bytes, std::size_t alignment);
    LargeBlock* stale(std::int64_t more);
    LargeBlock* unlink_oldest();
    void unlink(int size_class, LargeBlock* block);

    std::mutex mutex_;
    SmallBlocks small_[small_classes];
    LargeBlocks large_[classes];
    std::uint64_t clock_ = 0;
    std::int64_t from_system_ = 0;  // in use or kept
    std::int64_t in_use_ = 0;
    std::int64_t peak_ = 0;
};

}}}  // namespace heed::memory
