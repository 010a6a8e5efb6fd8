#include "tests/benchmarks/peak.h"

#include <thread>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

// The portable loop may call a slow library function for each fused multiply-add; the peak is then
// only what such a loop reaches.
void work(double operations) {
    float result = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        result = avx512::peak_loop(static_cast<long>(operations / (2 * 12 * 16)));
    } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        result = avx2::peak_loop(static_cast<long>(operations / (2 * 12 * 8)));
    } else
#endif
        result = portable::peak_loop(static_cast<long>(operations / (2 * 12 * 4)));
    volatile float kept = result;  // keeps the computation from being optimised away
    static_cast<void>(kept);
}

}  // namespace

void multiply_and_add(int threads) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work, peak_operations);
    work(peak_operations);
    for (std::thread& other : others) other.join();
}

}}}  // namespace heed::benchmarks
