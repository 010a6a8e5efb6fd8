// Kept memory: it is reused, counted and given back.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/tensor/runtime/kept_memory.h"

#include <cstdint>
#include <vector>

using namespace heed;

TEST_CASE("of a large block at most an eighth is unused", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    int wrong = 0;
    for (std::size_t bytes = memory::largest_small_block + 1; bytes < 5'000'000;
         bytes += bytes / 37) {
        const std::int64_t before = memory_use().in_use;
        void* const block = memory::allocate(bytes);
        const std::int64_t growth = memory_use().in_use - before;
        const std::int64_t asked_for = static_cast<std::int64_t>(bytes);
        if (growth < asked_for || growth > asked_for + asked_for / 8) ++wrong;
        if (reinterpret_cast<std::uintptr_t>(block) % memory::cache_line != 0) ++wrong;
        memory::deallocate(block, bytes);
        if (memory_use().in_use != before) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("entries start on a cache line", "[tensor][memory]") {
    for (const std::int64_t n : {0, 1, 4, 490, 498, 1000, 1023, 1024, 1025, 100'000}) {
        const Tensor x = Tensor::uninitialized({n});
        CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
    }
}

TEST_CASE("a freed large tensor's memory is reused by the next", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    for (const std::int64_t n : {2000, 100'000, 3'000'000}) {
        const Scalar* first = nullptr;
        {
            const Tensor x = Tensor::uninitialized({n});
            first = x.data();
        }
        const Tensor y = Tensor::uninitialized({n});
        CHECK(y.data() == first);
    }
}

TEST_CASE("blocks in use do not overlap", "[tensor][memory]") {
    std::vector<Tensor> tensors;
    for (int i = 0; i < 2000; ++i) {
        Tensor x = Tensor::uninitialized({1 + i * 7 % 900});
        for (std::int64_t k = 0; k < x.numel(); ++k) x.writable_data()[k] = static_cast<Scalar>(i);
        tensors.push_back(x);
        if (i % 3 == 0) tensors[static_cast<std::size_t>(i / 2)] = Tensor();
    }
    int wrong = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        for (const Scalar number : tensors[i].to_vector()) wrong += number != Scalar(i);
    }
    CHECK(wrong == 0);
}

TEST_CASE("memory in use, kept and at the peak is counted", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    release_memory();
    const MemoryUse before = memory_use();
    reset_memory_peak();
    {
        const Tensor x = megabytes(8);
        const MemoryUse with_x = memory_use();
        CHECK(with_x.in_use - before.in_use >= 8 * MiB);
        CHECK(with_x.in_use - before.in_use <= 9 * MiB + 4096);
        { const Tensor y = megabytes(16); }
        const MemoryUse after_y = memory_use();
        CHECK(after_y.in_use == with_x.in_use);
        CHECK(after_y.kept - with_x.kept >= 16 * MiB);
        CHECK(after_y.peak - with_x.in_use >= 16 * MiB);
        CHECK(after_y.peak - with_x.in_use <= 18 * MiB + 4096);
    }
    CHECK(memory_use().in_use == before.in_use);
    reset_memory_peak();
    CHECK(memory_use().peak == memory_use().in_use);
    release_memory();
    CHECK(memory_use().kept <= before.kept + 65536);
    CHECK(memory_use().in_use == before.in_use);
}

TEST_CASE("small blocks are counted, too, and few of them are kept", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    release_memory();
    const MemoryUse before = memory_use();
    {
        std::vector<Tensor> many;
        for (int i = 0; i < 20'000; ++i) many.push_back(tensor::full({4}, i));
        CHECK(memory_use().in_use - before.in_use >= 20'000 * 4 * std::int64_t{sizeof(Scalar)});
        CHECK(memory_use().in_use - before.in_use <= 20'000 * 192);
        CHECK(many[12'345](2) == 12'345);
    }
    CHECK(memory_use().in_use == before.in_use);
    CHECK(memory_use().kept > before.kept);
    CHECK(memory_use().kept <= before.kept + MiB);
    release_memory();
    CHECK(memory_use().kept == before.kept);
}

TEST_CASE("idle memory is limited by the memory that was in use", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    release_memory();
    reset_memory_peak();
    for (int size = 1; size < 60; ++size) const Tensor x = megabytes(size);  // all sizes differ
    const MemoryUse use = memory_use();
    CHECK(use.peak > 59 * MiB);
    CHECK(use.in_use + use.kept <= use.peak + use.peak / 4 + 16 * MiB);
    release_memory();
}

TEST_CASE("of what is kept, the memory freed longest ago is given back first", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    release_memory();
    const std::int64_t before = memory_use().kept;
    { const Tensor freed_first = megabytes(20); }
    { const Tensor freed_later = megabytes(6); }
    reset_memory_peak();
    const Tensor another = megabytes(9);  // with which 26 MiB would be too much to keep, but 6 not
    CHECK(memory_use().kept - before >= 6 * MiB);
    CHECK(memory_use().kept - before < 20 * MiB);
}

TEST_CASE("HEED_KEEP_MEMORY must be 0 or 1", "[tensor][memory][errors]") {
    CHECK(memory::keeps(nullptr));
    CHECK(memory::keeps(""));
    CHECK(memory::keeps("1"));
    CHECK_FALSE(memory::keeps("0"));
    CHECK_THROWS_AS(memory::keeps("yes"), std::invalid_argument);
    CHECK_THROWS_WITH(memory::keeps("yes"),
                      Equals("HEED_KEEP_MEMORY is \"yes\"; it must be 0 (give memory back at once) "
                             "or 1 (keep it for reuse)"));
}
