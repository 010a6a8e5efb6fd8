#include "tests/benchmarks/loops.h"

#include <thread>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
// The portable loop may call a slow library function for each fused multiply-add; the peak is then
// only what such a loop reaches.
void work() {
    const Loops loops = best_loops();
    // Keeps the computation from being optimised away.
    volatile float kept =
        loops.peak_loop(static_cast<long>(peak_operations / (2 * 12 * loops.width)));
    static_cast<void>(kept);
}

}  // namespace

Loops best_loops() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return {avx512::scalar_steps, avx512::vector_steps, avx512::peak_loop, avx512::read_loop,
                16};
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return {avx2::scalar_steps, avx2::vector_steps, avx2::peak_loop, avx2::read_loop, 8};
    }
#endif
    return {portable::scalar_steps, portable::vector_steps, portable::peak_loop,
            portable::read_loop, 4};
}

void multiply_and_add(int threads) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
}

// Written once, so that each page is one of memory and not the one of zeros.
MemoryToRead::MemoryToRead() : numbers_(bytes_to_read / sizeof(float), 1.0f) {}

void MemoryToRead::read(int threads) const {
    constexpr long unit = 192;
    const long units = std::ssize(numbers_) / unit;
    const auto read_share = [&](int i) {
        const long first = units * i / threads * unit;
        const long end = units * (i + 1) / threads * unit;
        volatile float kept = best_loops().read_loop(numbers_.data() + first, end - first);
        static_cast<void>(kept);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(read_share, i);
    read_share(0);
    for (std::thread& other : others) other.join();
}

}}}  // namespace heed::benchmarks
