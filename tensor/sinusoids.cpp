#include "sinusoids.h"

#include "kernels/math.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

Sinusoids sinusoids(std::int64_t first, std::int64_t T, const std::vector<double>& frequencies,
                    CallSite site) {
    const std::int64_t count = static_cast<std::int64_t>(frequencies.size());
    Sinusoids result = {Tensor::uninitialized(Shape({T, count}, site), site),
                        Tensor::uninitialized(Shape({T, count}, site), site)};
    Scalar* sin = result.sin.writable_data();
    Scalar* cos = result.cos.writable_data();
    for (std::int64_t position = first; position < first + T; ++position) {
        for (const double frequency : frequencies) {
            const double angle = static_cast<double>(position) * frequency;
            *sin++ = static_cast<Scalar>(kernels::math::sin(angle));
            *cos++ = static_cast<Scalar>(kernels::math::cos(angle));
        }
    }
    return result;
}

std::vector<double> falling_frequencies(std::int64_t count, double base) {
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < count; ++i) {
        const double exponent = -static_cast<double>(i) / static_cast<double>(count);
        frequencies.push_back(kernels::math::pow(base, exponent));
    }
    return frequencies;
}

}}}  // namespace heed::tensor
