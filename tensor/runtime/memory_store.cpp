// The store: memory taken from the system, cut into small blocks, and given back.
#include "memory_store.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#ifdef _WIN32
#include <malloc.h>
#else
#include <sys/mman.h>
#endif

namespace heed { inline namespace HEED_PRECISION { namespace memory {

namespace {

using Lock = std::lock_guard<std::mutex>;

// Kept memory may exceed the peak by a quarter of it and this much.
constexpr std::int64_t idle_at_least = 16 << 20;

std::int64_t signed_size(int size_class) {
    return static_cast<std::int64_t>(size_of_class(size_class));
}

Chunk* chunk_of(Block* block) {
    char* const address = reinterpret_cast<char*>(block);
    const std::size_t in_chunk = reinterpret_cast<std::uintptr_t>(block) % chunk_alignment;
    return reinterpret_cast<Chunk*>(address - in_chunk);
}

// Huge pages of 2 MiB instead of 4 KiB: a walk over a matrix then has few TLB misses, and fresh
// memory few page faults. Linux provides them on request.
#ifdef MADV_HUGEPAGE
constexpr std::size_t large_page = 2 << 20;

void* ask_system(std::size_t bytes, std::size_t alignment) {
    const bool large = bytes >= large_page;
    void* memory = nullptr;
    if (posix_memalign(&memory, large ? large_page : alignment, bytes) != 0) return nullptr;
    if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint; small pages work as well
    return memory;
}
#elif !defined(_WIN32)
void* ask_system(std::size_t bytes, std::size_t alignment) {
    void* memory = nullptr;
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}
#else
void* ask_system(std::size_t bytes, std::size_t alignment) {
    return _aligned_malloc(bytes, alignment);
}
#endif

void back_to_system(void* memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    std::free(memory);
#endif
}

void to_system(LargeBlock* list) {
    while (list) {
        LargeBlock* const older = list->older;
        back_to_system(list);
        list = older;
    }
}

}  // namespace

void Store::note(std::int64_t growth) {
    in_use_ += growth;
    peak_ = std::max(peak_, in_use_);
}

void* Store::from_system(std::size_t bytes, std::size_t alignment) {
    void* memory = ask_system(bytes, alignment);
    if (memory) return memory;
    release();
    memory = ask_system(bytes, alignment);
    if (!memory) throw std::bad_alloc();
    return memory;
}

Block* Store::take_small(int size_class, int wanted, int& taken, std::int64_t& unnoted) {
    std::unique_lock<std::mutex> lock(mutex_);
    note(unnoted);
    unnoted = 0;
    Block* list = nullptr;
    for (taken = 0; taken < wanted; ++taken) {
        Block* block = cut(size_class);
        if (!block && list) break;  // fewer are enough
        if (!block) {
            lock.unlock();
            void* const memory = from_system(chunk_bytes, chunk_alignment);
            lock.lock();
            add_chunk(size_class, static_cast<Chunk*>(memory));
            block = cut(size_class);
        }
        block->next = list;
        list = block;
    }
    return list;
}

void Store::add_chunk(int size_class, Chunk* chunk) {
    SmallBlocks& blocks = small_[size_class];
    from_system_ += static_cast<std::int64_t>(chunk_bytes);
    *chunk = {blocks.chunks, 0, 0};
    blocks.chunks = chunk;
    blocks.uncut = reinterpret_cast<char*>(chunk) + cache_line;
    blocks.uncut_bytes = chunk_bytes - cache_line;
}

// A freed block, or the next one of the newest chunk; null if both are used up.
Block* Store::cut(int size_class) {
    SmallBlocks& blocks = small_[size_class];
    Block* block = blocks.free;
    if (block) {
        blocks.free = block->next;
        return block;
    }
    const std::size_t size = size_of_class(size_class);
    if (blocks.uncut_bytes < size) return nullptr;
    block = reinterpret_cast<Block*>(blocks.uncut);
    blocks.uncut += size;
    blocks.uncut_bytes -= size;
    ++blocks.chunks->cut;
    return block;
}

void Store::give_small(int size_class, Block* first, Block* last, std::int64_t& unnoted) {
    const Lock lock(mutex_);
    note(unnoted);
    unnoted = 0;
    last->next = small_[size_class].free;
    small_[size_class].free = first;
}

void* Store::take_large(int size_class, std::int64_t& unnoted) {
    const std::int64_t size = signed_size(size_class);
    LargeBlock* too_much = nullptr;
    {
        const Lock lock(mutex_);
        note(unnoted);
        unnoted = 0;
        LargeBlock* const block = large_[size_class].newest;
        if (block) {
            unlink(size_class, block);
            note(size);
            return block;
        }
        too_much = stale(size);
    }
    to_system(too_much);
    void* const memory = from_system(size_of_class(size_class), cache_line);
    const Lock lock(mutex_);
    from_system_ += size;
    note(size);
    return memory;
}

void Store::give_large(int size_class, void* memory, std::int64_t& unnoted) {
    LargeBlock* const block = static_cast<LargeBlock*>(memory);
    LargeBlocks& blocks = large_[size_class];
    const Lock lock(mutex_);
    note(unnoted - signed_size(size_class));
    unnoted = 0;
    *block = {blocks.newest, nullptr, ++clock_};
    (blocks.newest ? blocks.newest->newer : blocks.oldest) = block;
    blocks.newest = block;
}

void Store::unlink(int size_class, LargeBlock* block) {
    LargeBlocks& blocks = large_[size_class];
    (block->newer ? block->newer->older : blocks.newest) = block->older;
    (block->older ? block->older->newer : blocks.oldest) = block->newer;
}

// A list of the blocks to give back before `more` bytes are taken from the system.
LargeBlock* Store::stale(std::int64_t more) {
    const std::int64_t most = std::max(peak_, in_use_ + more);
    LargeBlock* list = nullptr;
    while (from_system_ + more > most + most / 4 + idle_at_least) {
        LargeBlock* const block = unlink_oldest();
        if (!block) break;
        block->older = list;
        list = block;
    }
    return list;
}

LargeBlock* Store::unlink_oldest() {
    int found = -1;
    for (int c = 0; c < classes; ++c) {
        const LargeBlock* const oldest = large_[c].oldest;
        if (!oldest) continue;
        if (found < 0 || oldest->freed_at < large_[found].oldest->freed_at) found = c;
    }
    if (found < 0) return nullptr;
    LargeBlock* const block = large_[found].oldest;
    unlink(found, block);
    from_system_ -= signed_size(found);
    return block;
}

void Store::release() {
    const Lock lock(mutex_);
    for (int c = 0; c < classes; ++c) {
        for (const LargeBlock* block = large_[c].newest; block; block = block->older) {
            from_system_ -= signed_size(c);
        }
        to_system(large_[c].newest);
        large_[c] = {};
    }
    for (int c = 0; c < small_classes; ++c) release_chunks(c);
}

// A chunk can be released when all blocks cut from it are in the store.
void Store::release_chunks(int size_class) {
    SmallBlocks& blocks = small_[size_class];
    for (Block* block = blocks.free; block; block = block->next) ++chunk_of(block)->free;

    Block** free = &blocks.free;
    while (*free) {
        const Chunk* const chunk = chunk_of(*free);
        if (chunk->free == chunk->cut) {
            *free = (*free)->next;
        } else {
            free = &(*free)->next;
        }
    }

    Chunk** next = &blocks.chunks;
    while (Chunk* const chunk = *next) {
        if (chunk->free != chunk->cut) {
            chunk->free = 0;
            next = &chunk->next;
            continue;
        }
        if (chunk == blocks.chunks) blocks.uncut_bytes = 0;
        *next = chunk->next;
        from_system_ -= static_cast<std::int64_t>(chunk_bytes);
        back_to_system(chunk);
    }
}

MemoryUse Store::use(std::int64_t& unnoted) {
    const Lock lock(mutex_);
    note(unnoted);
    unnoted = 0;
    return {in_use_, from_system_ - in_use_, peak_};
}

void Store::reset_peak(std::int64_t& unnoted) {
    const Lock lock(mutex_);
    note(unnoted);
    unnoted = 0;
    peak_ = in_use_;
}

}}}  // namespace heed::memory
