// Creating tensors: constants, ranges, from lists, and random.
#include "factories.h"

#include "errors.h"
#include "kernels/math.h"
#include "parallel_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
// The shape, read from the first list at each level.
Shape shape_of(const NestedList& numbers, const CallSite& site) {
    std::vector<std::int64_t> dims;
    const NestedList* level = &numbers;
    while (level->is_list()) {
        dims.push_back(static_cast<std::int64_t>(level->entries().size()));
        if (level->entries().empty()) break;
        level = &level->entries().front();
    }
    if (dims.size() > max_rank) {
        fail_shape("of", site, "lists are nested ", dims.size(), " deep; a tensor has at most ",
                   max_rank, " axes");
    }
    return Shape(Dims(dims, site), site);
}

// Appends the numbers in row-major order. `place` is the index of `list` in the outermost list.
void append(const NestedList& list, const Shape& shape, std::vector<std::int64_t>& place,
            std::vector<Scalar>& numbers, const CallSite& site) {
    const int axis = static_cast<int>(place.size());
    if (list.is_list() != (axis < shape.rank())) {
        fail_shape("of", site, "numbers and lists are mixed: the entry at ", Dims(place), " is a ",
                   list.is_list() ? "list" : "number", ", but the first on its level is a ",
                   list.is_list() ? "number" : "list");
    }
    if (!list.is_list()) {
        numbers.push_back(static_cast<Scalar>(list.number()));
        return;
    }
    const std::int64_t length = static_cast<std::int64_t>(list.entries().size());
    if (length != shape[axis]) {
        fail_shape("of", site, "the list at ", Dims(place), " has ", length,
                   " entries, but the first on its level has ", shape[axis],
                   "; lists on one level must have the same length");
    }
    for (std::int64_t i = 0; i < length; ++i) {
        place.push_back(i);
        append(list.entries()[static_cast<std::size_t>(i)], shape, place, numbers, site);
        place.pop_back();
    }
}

void check_finite(const char* operation, const char* name, double number, const CallSite& site) {
    if (!std::isfinite(number)) {
        fail_argument(operation, site, name, " is ", number, "; it must be finite");
    }
}

// The entries start + i·step for i < count, each computed on its own, so that rounding errors do
// not accumulate.
Tensor counted(double start, double step, std::int64_t count, const CallSite& site) {
    Tensor x = Tensor::uninitialized(Shape({count}, site), site);
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < count; ++i) {
        out[i] = static_cast<Scalar>(start + static_cast<double>(i) * step);
    }
    return x;
}

}  // namespace

Tensor of(const NestedList& numbers, CallSite site) {
    const Shape shape = shape_of(numbers, site);
    std::vector<Scalar> flat;
    std::vector<std::int64_t> place;
    append(numbers, shape, place, flat, site);
    return from_vector(flat, shape, site);
}

Tensor from_vector(const std::vector<Scalar>& numbers, const Shape& shape, CallSite site) {
    if (static_cast<std::int64_t>(numbers.size()) != shape.numel()) {
        fail_shape("from_vector", site, numbers.size(), " numbers were given, but shape ", shape,
                   " needs ", shape.numel());
    }
    Tensor x = Tensor::uninitialized(shape, site);
    std::copy(numbers.begin(), numbers.end(), x.writable_data());
    return x;
}

Tensor full(const Shape& shape, double value, CallSite site) {
    Tensor x = Tensor::uninitialized(shape, site);
    Scalar* numbers = x.writable_data();
    parallel_for(shape.numel(), grain_of_numbers, [&](std::int64_t begin, std::int64_t end) {
        std::fill(numbers + begin, numbers + end, static_cast<Scalar>(value));
    });
    return x;
}

Tensor zeros(const Shape& shape, CallSite site) { return full(shape, 0, site); }

Tensor ones(const Shape& shape, CallSite site) { return full(shape, 1, site); }

Tensor zeros_like(const Tensor& x, CallSite site) { return zeros(x.shape(), site); }

Tensor ones_like(const Tensor& x, CallSite site) { return ones(x.shape(), site); }

Tensor eye(std::int64_t n, CallSite site) { return eye(n, n, site); }

Tensor eye(std::int64_t n, std::int64_t columns, CallSite site) {
    if (n < 0 || columns < 0) {
        fail_shape("eye", site, n, " rows and ", columns, " columns; both must be 0 or more");
    }
    Tensor x = zeros(Shape({n, columns}, site), site);
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < std::min(n, columns); ++i) out[i * columns + i] = 1;
    return x;
}

Tensor arange(double end, CallSite site) { return arange(0, end, 1, site); }

Tensor arange(double start, double end, double step, CallSite site) {
    check_finite("arange", "start", start, site);
    check_finite("arange", "end", end, site);
    check_finite("arange", "step", step, site);
    if (step == 0) fail_argument("arange", site, "the step is 0; it would never reach the end");

    const double count = std::ceil((end - start) / step);
    const double limit = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 8);
    if (count > limit) {
        fail_argument("arange", site, "from ", start, " to ", end, " in steps of ", step,
                      " is more entries than memory can address");
    }
    return counted(start, step, static_cast<std::int64_t>(std::max(count, 0.0)), site);
}

Tensor linspace(double start, double end, std::int64_t count, CallSite site) {
    check_at_least("linspace", "the count", count, 0, site);
    check_finite("linspace", "start", start, site);
    check_finite("linspace", "end", end, site);
    check_finite("linspace", "end - start", end - start, site);

    const double step = count > 1 ? (end - start) / static_cast<double>(count - 1) : 0;
    Tensor x = counted(start, step, count, site);
    if (count > 1) x.writable_data()[count - 1] = static_cast<Scalar>(end);
    return x;
}

Tensor uniform(const Shape& shape, Random& random, double low, double high, CallSite site) {
    check_finite("uniform", "low", low, site);
    check_finite("uniform", "high", high, site);
    check_finite("uniform", "high - low", high - low, site);
    if (low > high) {
        fail_argument("uniform", site, "low is ", low, " and high is ", high,
                      "; low must not be above high");
    }
    // Rounding may take a draw to `high`, which is excluded.
    const Scalar bound = static_cast<Scalar>(high);
    const Scalar largest = std::nextafter(bound, static_cast<Scalar>(low));
    Tensor x = Tensor::uninitialized(shape, site);
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        const Scalar drawn = static_cast<Scalar>(low + (high - low) * random.uniform());
        out[i] = drawn < bound ? drawn : largest;
    }
    return x;
}

Tensor normal(const Shape& shape, Random& random, double mean, double deviation, CallSite site) {
    check_finite("normal", "mean", mean, site);
    check_finite("normal", "deviation", deviation, site);
    check_at_least("normal", "the standard deviation", deviation, 0, site);
    Tensor x = Tensor::uninitialized(shape, site);
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        out[i] = static_cast<Scalar>(mean + deviation * random.normal());
    }
    return x;
}

Sinusoids sinusoids(std::int64_t first, std::int64_t T, const std::vector<double>& frequencies,
                    CallSite site) {
    const std::int64_t count = static_cast<std::int64_t>(frequencies.size());
    Sinusoids result = {Tensor::uninitialized(Shape({T, count}, site), site),
                        Tensor::uninitialized(Shape({T, count}, site), site)};
    Scalar* sin = result.sin.writable_data();
    Scalar* cos = result.cos.writable_data();
    std::int64_t end = 0;
    if (__builtin_add_overflow(first, T, &end)) {
        fail_range("sinusoids", site, "the first position is ", first, " and there are ", T,
                   "; the last does not fit in 64 bits");
    }
    for (std::int64_t position = first; position < end; ++position) {
        for (const double frequency : frequencies) {
            const double angle = static_cast<double>(position) * frequency;
            *sin++ = static_cast<Scalar>(kernels::math::sin(angle));
            *cos++ = static_cast<Scalar>(kernels::math::cos(angle));
        }
    }
    return result;
}

std::vector<double> geometric_frequencies(std::int64_t count, double base) {
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < count; ++i) {
        const double exponent = -static_cast<double>(i) / static_cast<double>(count);
        frequencies.push_back(kernels::math::pow(base, exponent));
    }
    return frequencies;
}

}}}  // namespace heed::tensor
