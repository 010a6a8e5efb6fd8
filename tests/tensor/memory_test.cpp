// Memory that is kept: it is used again, counted and given back, by any thread and at any time.
#include "tensor/memory.h"

#include "autograd/grad.h"
#include "autograd/ops.h"
#include "tensor/factories.h"
#include "tensor/matmul.h"
#include "tensor/memory_sizes.h"
#include "tensor/ops.h"
#include "tensor/parallel.h"
#include "tests/catch.h"

#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

using namespace heed;

namespace {

constexpr std::int64_t MiB = 1 << 20;

// Where nothing is kept (HEED_KEEP_MEMORY=0, the address sanitizer), nothing is counted.
bool memory_is_kept() {
    const Tensor x = Tensor::uninitialized({MiB});
    return memory_use().in_use > 0;
}

Tensor megabytes(std::int64_t n) {
    return Tensor::uninitialized({n * MiB / static_cast<std::int64_t>(sizeof(Scalar))});
}

// No workers of the library, each of which keeps a workspace of its own.
class OneThread {
  public:
    OneThread() { set_thread_count(1); }
    ~OneThread() { set_thread_count(before_); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    int before_ = thread_count();
};

// Lets the process have `more` bytes of addresses than it has now, for one test.
class AddressLimit {
  public:
    explicit AddressLimit(std::int64_t more) {
        getrlimit(RLIMIT_AS, &before_);
        rlimit limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(addresses() + more);
        setrlimit(RLIMIT_AS, &limit);
    }
    ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;

  private:
    static std::int64_t addresses() {
        long pages = 0;
        if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
            std::fclose(file);
        }
        return pages * 4096;
    }

    rlimit before_;
};

}  // namespace

TEST_CASE("sizes of kept memory waste an eighth at most", "[tensor][memory]") {
    using namespace heed::memory;
    int wrong = 0;
    for (std::size_t bytes = 0; bytes < 70'000; ++bytes) {
        const std::size_t size = size_of_class(size_class(bytes));
        const std::size_t most = bytes + bytes / 8 + cache_line;
        if (size < bytes || size > most || size % cache_line != 0) ++wrong;
        if (bytes > 0 && size_class(bytes) < size_class(bytes - 1)) ++wrong;
        if (bytes <= largest_small_block && small_size_class(bytes) != size_class(bytes)) ++wrong;
    }
    for (int c = 0; c < classes; ++c) {
        if (size_class(size_of_class(c)) != c) ++wrong;
        if (c > 0 && size_class(size_of_class(c - 1) + 1) != c) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(size_of_class(classes - 1) == largest_block);
}

TEST_CASE("a freed tensor's memory is used by the next", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    for (const std::int64_t n : {1, 4, 1000, 2000, 100'000, 3'000'000}) {
        const Scalar* first = nullptr;
        {
            const Tensor x = Tensor::uninitialized({n});
            first = x.data();
        }
        const Tensor y = Tensor::uninitialized({n});
        CHECK(y.data() == first);
        CHECK(reinterpret_cast<std::uintptr_t>(y.data()) % 64 == 0);
    }
}

TEST_CASE("what is in use does not overlap", "[tensor][memory]") {
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

TEST_CASE("small blocks are counted and given back, too", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    release_memory();
    const MemoryUse before = memory_use();
    {
        std::vector<Tensor> many;
        for (int i = 0; i < 20'000; ++i) many.push_back(tensor::full({4}, i));
        CHECK(memory_use().in_use - before.in_use == 20'000 * 128);
        CHECK(many[12'345](2) == 12'345);
    }
    CHECK(memory_use().in_use == before.in_use);
    CHECK(memory_use().kept - before.kept > 2'000'000);
    const Tensor one = tensor::full({4}, 7);  // its chunk stays
    release_memory();
    CHECK(memory_use().kept - before.kept < 200'000);
    CHECK(one(3) == 7);
    CHECK(tensor::full({4}, 3)(1) == 3);
}

TEST_CASE("what lies idle is limited by what was in use", "[tensor][memory]") {
    if (!memory_is_kept()) return;
    release_memory();
    reset_memory_peak();
    for (int size = 1; size < 60; ++size) const Tensor x = megabytes(size);  // all sizes differ
    const MemoryUse use = memory_use();
    CHECK(use.peak > 59 * MiB);
    CHECK(use.in_use + use.kept <= use.peak + use.peak / 4 + 16 * MiB);
    release_memory();
}

TEST_CASE("memory may be freed by another thread", "[tensor][memory]") {
    const std::int64_t before = memory_use().in_use;
    std::vector<Tensor> made(3000);
    std::thread maker([&made] {
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = tensor::full({static_cast<std::int64_t>(1 + i % 1500)}, double(i));
        }
    });
    maker.join();
    int wrong = 0;
    for (std::size_t i = 0; i < made.size(); ++i) wrong += made[i](0) != Scalar(i);
    CHECK(wrong == 0);
    std::thread([&made] { made.clear(); }).join();
    CHECK(memory_use().in_use == before);
}

TEST_CASE("a thread that only makes and one that only frees need no more and more memory",
          "[tensor][memory]") {
    if (!memory_is_kept()) return;
    const std::int64_t before = memory_use().in_use + memory_use().kept;
    for (int round = 0; round < 200; ++round) {
        std::vector<Tensor> made;
        for (int i = 0; i < 500; ++i) made.push_back(tensor::full({8}, i));
        std::thread([&made] { made.clear(); }).join();
    }
    CHECK(memory_use().in_use + memory_use().kept < before + MiB);
}

TEST_CASE("hundreds of short-lived threads leave nothing behind", "[tensor][memory]") {
    const Variable W(tensor::of({{1, 2}, {3, 4}}), requires_grad);
    std::atomic<int> right{0};
    const auto work = [&W, &right] {
        const Variable x(tensor::full({2, 2}, 2));
        const Variable y = sum(matmul(x, W) * x);
        const Tensor dW = grad(y, W).value();
        const Tensor C = tensor::matmul(tensor::ones({70, 80}), tensor::ones({80, 90}));
        if (y.item() == 80 && dW(1, 1) == 8 && C(69, 89) == 80) ++right;
    };
    const OneThread one;
    std::thread(work).join();
    const MemoryUse before = memory_use();
    for (int round = 0; round < 50; ++round) {
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) threads.emplace_back(work);
        for (std::thread& thread : threads) thread.join();
    }
    CHECK(right == 401);
    CHECK(memory_use().in_use == before.in_use);
    CHECK(memory_use().kept < before.kept + 32 * MiB);  // one workspace for each that ran at once
}

namespace {

// Computes in its destructor, after other thread-local objects of the library may be gone.
struct ComputesAtTheEnd {
    std::atomic<int>* right = nullptr;
    Tensor kept;

    ~ComputesAtTheEnd() {
        if (!right) return;
        const Tensor A = tensor::full({130, 140}, 2);
        const Tensor C = tensor::matmul(A, tensor::transpose(A));
        if (C(129, 0) == 560 && kept(0) == 3) ++*right;
        kept = tensor::full({5}, 4);
    }
};

thread_local ComputesAtTheEnd at_the_end;

}  // namespace

TEST_CASE("destructors at the end of a thread may still compute", "[tensor][memory]") {
    std::atomic<int> right{0};
    const auto work = [&right] {
        at_the_end.right = &right;  // constructed before the thread's own memory is
        const Tensor A = tensor::ones({100, 110});
        at_the_end.kept = tensor::full({5}, tensor::matmul(A, tensor::transpose(A))(0, 0) - 107);
    };
    const OneThread one;
    std::thread(work).join();
    const MemoryUse before = memory_use();
    for (int i = 0; i < 100; ++i) std::thread(work).join();
    CHECK(right == 101);
    CHECK(memory_use().in_use == before.in_use);
    CHECK(memory_use().kept < before.kept + MiB);
}

TEST_CASE("out of memory is an exception, and everything works afterwards", "[tensor][memory]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return;  // they stop the program themselves
#endif
    const Tensor kept = tensor::full({1000}, 5);
    const MemoryUse before = memory_use();
    const std::int64_t too_many = std::int64_t{1} << 58;
    CHECK_THROWS_AS(Tensor::uninitialized({too_many}), std::bad_alloc);
    CHECK_THROWS_AS(Tensor::uninitialized({std::int64_t{1} << 45}), std::bad_alloc);
    CHECK(memory_use().in_use == before.in_use);
    CHECK((kept + tensor::ones({1000}))(999) == 6);
    CHECK(tensor::matmul(tensor::ones({70, 80}), tensor::ones({80, 90}))(3, 4) == 80);
}

TEST_CASE("out of memory in a recorded operation or its derivative leaves the graph usable",
          "[tensor][memory]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return;
#endif
    const Variable x(tensor::full({2, 1}, 3), requires_grad);
    const Variable y = x * x;
    const Tensor column = tensor::ones({std::int64_t{1}, 1});
    const Variable huge(tensor::expand(column, {2, std::int64_t{1} << 44}));
    CHECK_THROWS_AS(y * huge, std::bad_alloc);
    CHECK_THROWS_AS(exp(expand(y, {2, std::int64_t{1} << 44})), std::bad_alloc);
    const Variable z = expand(y * y, {2, std::int64_t{1} << 44});  // a view: no memory yet
    const BackwardOptions upstream{.retain_graph = true, .upstream = huge.value()};
    CHECK_THROWS_AS((z * z).backward(upstream), std::bad_alloc);
    sum(y).backward();
    CHECK(x.grad().to_vector() == std::vector<Scalar>{6, 6});
}

TEST_CASE("what is kept is given back when the system has no more", "[tensor][memory]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return;
#endif
    if (!memory_is_kept()) return;
    { const Tensor x = megabytes(400); }
    CHECK(memory_use().kept >= 400 * MiB);
    {
        const AddressLimit limit(200 * MiB);
        CHECK_NOTHROW(megabytes(300));
        CHECK_THROWS_AS(megabytes(4000), std::bad_alloc);
        CHECK(tensor::full({100'000}, 2)(99'999) == 2);
    }
    CHECK(memory_use().kept < 400 * MiB);
}

namespace {

// Freed after main() and after every static object of the library, were there any.
struct KeptToTheVeryEnd {
    std::vector<Tensor> small, large;
    Variable graph;

    ~KeptToTheVeryEnd() {
        small.clear();
        const Tensor x = tensor::full({7}, 1) + tensor::full({7}, 2);
        if (x(6) != 3) std::abort();
        release_memory();
    }
};

KeptToTheVeryEnd& kept_to_the_very_end() {
    static KeptToTheVeryEnd kept;
    return kept;
}

}  // namespace

TEST_CASE("static objects may free and make tensors when the program ends", "[tensor][memory]") {
    KeptToTheVeryEnd& kept = kept_to_the_very_end();
    for (int i = 0; i < 100; ++i) kept.small.push_back(tensor::full({4}, i));
    for (int i = 0; i < 3; ++i) kept.large.push_back(tensor::full({100'000}, i));
    const Variable x(tensor::of({1, 2}), requires_grad);
    kept.graph = exp(x * x) + x;
    CHECK(kept.small.size() >= 100);  // and the program ends without a crash
}

TEST_CASE("whether memory is kept is asked for by 0 or 1", "[tensor][memory][errors]") {
    CHECK(memory::keeps(nullptr));
    CHECK(memory::keeps(""));
    CHECK(memory::keeps("1"));
    CHECK_FALSE(memory::keeps("0"));
    CHECK_THROWS_AS(memory::keeps("yes"), std::invalid_argument);
    CHECK_THROWS_WITH(memory::keeps("yes"),
                      Equals("HEED_KEEP_MEMORY is \"yes\"; it must be 0 (give memory back at once) "
                             "or 1 (keep it for reuse)"));
}
