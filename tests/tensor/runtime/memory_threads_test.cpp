// Kept memory with many threads, and with destructors that run at the end of a thread or of the
// program.
#include "nn/heed.h"
#include "tensor/kernels/scratch.h"
#include "tests/catch.h"
#include "tests/tensor/runtime/kept_memory.h"

#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

using namespace heed;

namespace {
// Runs without the library's worker threads, each of which keeps its own workspace.
class OneThread {
  public:
    OneThread() { set_thread_count(1); }
    ~OneThread() { set_thread_count(before_); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    int before_ = thread_count();
};

}  // namespace

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

TEST_CASE("memory does not grow when one thread only allocates and another only frees",
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

TEST_CASE("a thread that frees what another makes gives blocks back while it lives",
          "[tensor][memory][threads][slow]") {
    if (!memory_is_kept()) return;
    std::mutex guard;
    std::vector<Tensor> handed;
    std::atomic<bool> over{false};
    std::thread frees([&] {
        while (!over) {
            std::vector<Tensor> mine;
            {
                const std::lock_guard<std::mutex> lock(guard);
                mine.swap(handed);
            }
            mine.clear();
            std::this_thread::yield();
        }
    });
    const std::int64_t before = memory_use().in_use + memory_use().kept;
    for (int round = 0; round < 2000; ++round) {  // 100 MiB altogether
        std::vector<Tensor> made;
        for (int i = 0; i < 400; ++i) made.push_back(tensor::full({8}, i));
        for (bool taken = false; !taken; std::this_thread::yield()) {
            const std::lock_guard<std::mutex> lock(guard);
            taken = handed.empty();
            if (taken) handed.swap(made);
        }
    }
    CHECK(memory_use().in_use + memory_use().kept < before + 8 * MiB);
    over = true;
    frees.join();
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
    CHECK(memory_use().kept < before.kept + 32 * MiB);  // one workspace per concurrent thread
}

namespace {
// Computes in its destructor, when other thread-local objects of the library may be gone.
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

namespace {
// A pthread key's destructor, which may run when the thread's scratch memory was given back.
void ask_for_scratch(void* right) {
    void* const others = memory::allocate(kernels::scratch_bytes);  // perhaps that very block
    if (kernels::scratch() != others) ++*static_cast<std::atomic<int>*>(right);
    memory::deallocate(others, kernels::scratch_bytes);
}

}  // namespace

TEST_CASE("scratch memory that was given back at the end of a thread is not used again",
          "[tensor][memory]") {
    kernels::scratch();  // makes its key, so that the other one's destructor comes later
    pthread_key_t key = 0;
    REQUIRE(pthread_key_create(&key, ask_for_scratch) == 0);
    std::atomic<int> right{0};
    const auto work = [key, &right] {
        kernels::scratch();
        pthread_setspecific(key, &right);
    };
    std::thread(work).join();
    const MemoryUse before = memory_use();
    for (int i = 0; i < 10; ++i) std::thread(work).join();
    CHECK(right == 11);
    CHECK(memory_use().in_use == before.in_use);
    pthread_key_delete(key);
}

namespace {
// Freed after main() and after any static objects of the library.
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
