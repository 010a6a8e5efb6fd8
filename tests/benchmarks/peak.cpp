#include "tests/benchmarks/peak.h"

#include <thread>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

namespace {

// In the portable loop a fused multiply-add may be a function of the system, which is slow: there
// the peak is only what a loop of them reaches.
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
    volatile float kept = result;  // what is computed must be used
    static_cast<void>(kept);
}

}  // namespace

void multiply_and_add(int threads) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work, peak_operations);
    work(peak_operations);
    for (std::thread& other : others) other.join();
}

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed
