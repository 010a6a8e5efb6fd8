// The peak and the memory's speed, compiled once for each instruction set: HEED_SET is its
// namespace, HEED_VECTOR_BYTES its register size. There are `chains` vectors, each depending only
// on its own last value.
#include "tests/benchmarks/loops.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks::HEED_SET {

typedef float Vector __attribute__((vector_size(HEED_VECTOR_BYTES)));
static constexpr int width = HEED_VECTOR_BYTES / sizeof(float);
static constexpr int chains = 12;  // latency 4 or 5 cycles, 2 issued per cycle

template <int... l>
struct Lanes {};
template <int n, int... l>
struct CountTo : CountTo<n - 1, n - 1, l...> {};
template <int... l>
struct CountTo<0, l...> {
    using List = Lanes<l...>;
};

template <int... l>
static inline Vector fused(const Vector& a, const Vector& b, const Vector& c, Lanes<l...>) {
    return Vector{__builtin_fmaf(a[l], b[l], c[l])...};
}

float peak_loop(long steps) {
    const Vector a = Vector{} + 0.999f;
    const Vector b = Vector{} + 0.001f;
    Vector x[chains];
    for (int i = 0; i < chains; ++i) x[i] = Vector{} + static_cast<float>(i);
    for (long step = 0; step < steps; ++step) {
#pragma GCC unroll 16
        for (int i = 0; i < chains; ++i) x[i] = fused(x[i], a, b, typename CountTo<width>::List());
    }
    Vector sum = {};
    for (int i = 0; i < chains; ++i) sum += x[i];
    float total = 0;
    for (int l = 0; l < width; ++l) total += sum[l];
    return total;
}

float read_loop(const float* numbers, long count) {
    Vector sums[chains] = {};
    for (long i = 0; i < count; i += chains * width) {
#pragma GCC unroll 16
        for (int c = 0; c < chains; ++c) {
            Vector read;
            __builtin_memcpy(&read, numbers + i + c * width, sizeof read);
            sums[c] += read;
        }
    }
    Vector sum = {};
    for (int c = 0; c < chains; ++c) sum += sums[c];
    float total = 0;
    for (int l = 0; l < width; ++l) total += sum[l];
    return total;
}

}}}  // namespace heed::benchmarks::HEED_SET
