// Memory that runs out at any point of a training step: std::bad_alloc, no crash, and the same
// thread can go on. A program of its own, since it replaces operator new: for every k, all
// allocations from the k-th on fail.
#include "autograd/inspect/keep.h"
#include "nn/heed.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

namespace {
constexpr long never = -1;
long until_failure = never;

void* memory_or_null(std::size_t bytes, std::size_t alignment) {
    if (until_failure == 0) return nullptr;
    if (until_failure > 0) --until_failure;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* memory_or_throw(std::size_t bytes, std::size_t alignment) {
    void* const memory = memory_or_null(bytes, alignment);
    if (!memory) throw std::bad_alloc();
    return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return memory_or_throw(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return memory_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return memory_or_null(bytes, 16);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

using namespace heed;

namespace {
struct Network : Module {
    Random random{1};
    Linear first{3, 4, random};
    Linear second{4, 2, random};

    Variable operator()(const Variable& x) const { return second(tanh(first(x))); }
    void members(MemberVisitor& visit) override {
        visit("first", first);
        visit("second", second);
    }
};

// Everything a step needs; each run has a new one.
struct Training {
    Network network;
    Adam adam{parameters(network)};
    Variable x{tensor::of({{1, 2, 3}, {-1, 0.5, 2}}), requires_grad};
    IndexTensor labels{1, 0};

    Variable loss() const { return cross_entropy(network(x), labels); }
};

Tensor train(Training& training) {
    training.adam.zero_grad();
    Variable middle = training.network.first(training.x);
    middle.register_hook([](const Variable& G) { return G * 2.0; });
    const Variable loss = training.loss() + sum(middle * middle);
    loss.backward();
    training.adam.step();
    return loss.value();
}

Tensor differentiate_twice(Training& training) {
    const Variable slope = grad(training.loss(), training.x, {.create_graph = true});
    sum(slope * slope).backward();
    return training.x.grad();
}

Tensor look(Training& training) {
    const KeepGraph keep;
    const DetectAnomaly detect;
    const Variable loss = training.loss();
    loss.backward();
    const Explanation why = explain(training.x, {0, 1});
    graph_text(loss, {.open_scopes = 1});
    graph_dot(loss);
    return tensor::of(static_cast<double>(why.value));
}

// A long chain, so that much is destroyed while there is nothing left.
Tensor grow(Training& training) {
    Variable y = training.x;
    for (int i = 0; i < 100; ++i) y = y * 1.0 + training.x;
    return y.value();
}

struct Job {
    const char* name;
    Tensor (*run)(Training&);
};

// The number of allocations after which the job is done, or -1 if something was wrong.
long run_out_of_memory_everywhere(const Job& job) {
    Training for_comparison;
    const Tensor expected = job.run(for_comparison);
    for (long k = 0;; ++k) {
        Training training;
        bool threw = false;
        until_failure = k;
        try {
            job.run(training);
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        const bool all_used = until_failure == 0;
        until_failure = never;
        training.x.zero_grad();
        job.run(training);  // the same objects can be used
        Training another;
        if (!tensor::same_bits(job.run(another), expected)) {
            std::printf("%s: after running out of memory at %ld, another result\n", job.name, k);
            return -1;
        }
        if (!threw && !all_used) return k;
    }
}

}  // namespace

int main() {
    setenv("HEED_KEEP_MEMORY", "0", 1);  // so that tensors ask operator new, too
    setenv("HEED_THREADS", "1", 1);
    const Job jobs[] = {{"a training step", train},
                        {"second derivatives", differentiate_twice},
                        {"explain() and graphs", look},
                        {"a long chain", grow}};
    for (const Job& job : jobs) {
        const long allocations = run_out_of_memory_everywhere(job);
        if (allocations < 100) return 1;
        std::printf("%s: memory ran out at each of %ld allocations\n", job.name, allocations);
    }
}
