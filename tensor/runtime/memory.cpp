// The part of each thread: a list of free small blocks for each size, so that most calls touch no
// shared memory. The lists are plain data and usable until the thread has ended: a destructor of
// another thread-local or static object may still free tensors.
#include "memory.h"

#include "../errors.h"
#include "../quote.h"
#include "memory_store.h"

#include <pthread.h>

#include <cstdlib>
#include <new>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

namespace memory {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool checked_by_address = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool checked_by_address = true;
#else
constexpr bool checked_by_address = false;
#endif
#else
constexpr bool checked_by_address = false;
#endif

#ifdef _WIN32
__attribute__((init_priority(101))) Store store;  // its mutex needs code to run, so let it be first
#else
constinit Store store;
#endif

struct List {
    Block* first = nullptr;
    int count = 0;
};

struct ThreadLists {
    List small[small_classes];
    std::int64_t unnoted = 0;  // growth of use not yet reported to the store
    bool return_at_end = false;
};

constinit thread_local ThreadLists mine;

bool keeps_memory() {
    static const bool answer = keeps(std::getenv("HEED_KEEP_MEMORY")) && !checked_by_address;
    return answer;
}

void give_back(int size_class, int count) {
    List& list = mine.small[size_class];
    Block* const first = list.first;
    Block* last = first;
    for (int i = 1; i < count; ++i) last = last->next;
    list.first = last->next;
    list.count -= count;
    store.give_small(size_class, first, last, mine.unnoted);
}

void give_back_all() {
    for (int c = 0; c < small_classes; ++c) {
        if (mine.small[c].count > 0) give_back(c, mine.small[c].count);
    }
}

// At the end of a thread. A pthread key's destructor runs after those of thread-local objects, and
// again if another key's destructor has freed blocks.
void at_end(void*) {
    mine.return_at_end = false;
    give_back_all();
}

struct Key {
    pthread_key_t key = 0;
    const bool made = pthread_key_create(&key, at_end) == 0;
};

#ifdef _WIN32
void hold_at_fork() {}
#else
void hold_at_fork() {
    const auto let_go = [] { store.let_go(); };
    pthread_atfork([] { store.hold(); }, let_go, let_go);
}
#endif

void return_at_end() {
    if (mine.return_at_end) return;
    static const Key at_thread_end;
    static const bool held_at_fork = (hold_at_fork(), true);
    static_cast<void>(held_at_fork);
    if (at_thread_end.made) pthread_setspecific(at_thread_end.key, &mine);
    mine.return_at_end = true;
}

void* allocate_large(std::size_t bytes) {
    if (bytes > largest_block) throw std::bad_alloc();
    if (!keeps_memory()) return ::operator new (bytes, std::align_val_t{cache_line});
    return store.take_large(size_class(bytes), mine.unnoted);
}

void* allocate_from_store(int size_class, std::size_t bytes) {
    if (!keeps_memory()) return ::operator new (bytes, std::align_val_t{cache_line});
    return_at_end();
    const int wanted = small_sizes.taken[size_class];
    int taken = 0;
    Block* const block = store.take_small(size_class, wanted, taken, mine.unnoted);
    mine.small[size_class] = {block->next, taken - 1};
    mine.unnoted += small_sizes.bytes[size_class];
    return block;
}

}  // namespace

bool keeps(const char* setting) {
    const std::string wanted = setting ? setting : "";
    if (wanted != "" && wanted != "0" && wanted != "1") {
        throw std::invalid_argument(
            text("HEED_KEEP_MEMORY is ", quoted(wanted),
                 "; it must be 0 (give memory back at once) or 1 (keep it for reuse)"));
    }
    return wanted != "0";
}

void* allocate(std::size_t bytes) {
    if (bytes > largest_small_block) return allocate_large(bytes);
    const int c = small_size_class(bytes);
    List& list = mine.small[c];
    Block* const block = list.first;
    if (!block) return allocate_from_store(c, bytes);
    list.first = block->next;
    --list.count;
    mine.unnoted += small_sizes.bytes[c];
    return block;
}

void deallocate(void* memory, std::size_t bytes) noexcept {
    if (!mine.return_at_end) {
        if (!keeps_memory()) return ::operator delete (memory, std::align_val_t{cache_line});
        return_at_end();
    }
    if (bytes > largest_small_block) {
        return store.give_large(size_class(bytes), memory, mine.unnoted);
    }
    const int c = small_size_class(bytes);
    List& list = mine.small[c];
    Block* const block = static_cast<Block*>(memory);
    block->next = list.first;
    list.first = block;
    mine.unnoted -= small_sizes.bytes[c];
    if (++list.count > small_sizes.most[c]) give_back(c, list.count / 2);
}

}  // namespace memory

MemoryUse memory_use() { return memory::store.use(memory::mine.unnoted); }

void reset_memory_peak() { memory::store.reset_peak(memory::mine.unnoted); }

void release_memory() {
    memory::give_back_all();
    memory::store.release();
}

}}  // namespace heed
