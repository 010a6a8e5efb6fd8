#include "tests/benchmarks/noise.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

constexpr std::uint64_t low_bits = 0xffffffff;

// A 32-bit hash of i and the seed.
std::uint64_t mixed(std::int64_t i, std::int64_t seed) {
    std::uint64_t h =
        static_cast<std::uint64_t>(i) * 2654435761 + static_cast<std::uint64_t>(seed) * 40503;
    h &= low_bits;
    h ^= h >> 16;
    h = (h * 73244475) & low_bits;
    return h ^ (h >> 16);
}

}  // namespace

Tensor noise(const Shape& shape, std::int64_t seed, double scale) {
    Tensor x = Tensor::uninitialized(shape);
    Scalar* const numbers = x.writable_data();
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        const double even = static_cast<double>(mixed(i, seed)) / 2147483648.0 - 1;
        numbers[i] = static_cast<Scalar>(even * scale);
    }
    return x;
}

IndexTensor noise_ids(const Shape& shape, std::int64_t seed, std::int64_t below) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        ids.push_back(static_cast<std::int64_t>(mixed(i, seed)) % below);
    }
    return IndexTensor(ids, shape);
}

}}}  // namespace heed::benchmarks
