// Making tensors: constant, counted, from lists, and random.
#include "tensor/factories.h"

#include "tensor/errors.h"
#include "tensor/walk_in_parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::inline HEED_PRECISION::tensor {

namespace {

// The lengths of the first list of each level.
Shape shape_of(const NestedList& numbers, const Where& where) {
    std::vector<std::int64_t> dims;
    const NestedList* level = &numbers;
    while (level->is_list()) {
        dims.push_back(static_cast<std::int64_t>(level->entries().size()));
        if (level->entries().empty()) break;
        level = &level->entries().front();
    }
    if (dims.size() > max_rank) {
        fail_shape("of",
                   text("lists are nested ", dims.size(), " deep; a tensor has at most ", max_rank,
                        " axes"),
                   where);
    }
    return Shape(Dims(dims, where), where);
}

// Appends the numbers in row-major order. `place` is the index of `list` in the whole.
void append(const NestedList& list, const Shape& shape, std::vector<std::int64_t>& place,
            std::vector<Scalar>& numbers, const Where& where) {
    const int axis = static_cast<int>(place.size());
    if (list.is_list() != (axis < shape.rank())) {
        fail_shape("of",
                   text("numbers and lists are mixed: the entry at ", Dims(place), " is a ",
                        list.is_list() ? "list" : "number", ", the first of its level a ",
                        list.is_list() ? "number" : "list"),
                   where);
    }
    if (!list.is_list()) {
        numbers.push_back(static_cast<Scalar>(list.number()));
        return;
    }
    const std::int64_t length = static_cast<std::int64_t>(list.entries().size());
    if (length != shape[axis]) {
        fail_shape("of",
                   text("the list at ", Dims(place), " has ", length,
                        " entries, the first of its level ", shape[axis],
                        "; lists of one level must have one length"),
                   where);
    }
    for (std::int64_t i = 0; i < length; ++i) {
        place.push_back(i);
        append(list.entries()[static_cast<std::size_t>(i)], shape, place, numbers, where);
        place.pop_back();
    }
}

void check_finite(const char* operation, const char* name, double number, const Where& where) {
    if (!std::isfinite(number)) {
        fail_argument(operation, text(name, " is ", number, "; it must be finite"), where);
    }
}

// The tensor of start + i·step for i < count, each worked out by itself, so that no rounding
// error is carried along.
Tensor counted(double start, double step, std::int64_t count, const Where& where) {
    Tensor x = Tensor::uninitialized(Shape({count}, where));
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < count; ++i) {
        out[i] = static_cast<Scalar>(start + static_cast<double>(i) * step);
    }
    return x;
}

}  // namespace

Tensor of(const NestedList& numbers, Where where) {
    const Shape shape = shape_of(numbers, where);
    std::vector<Scalar> flat;
    std::vector<std::int64_t> place;
    append(numbers, shape, place, flat, where);
    return from_vector(flat, shape, where);
}

Tensor from_vector(const std::vector<Scalar>& numbers, const Shape& shape, Where where) {
    if (static_cast<std::int64_t>(numbers.size()) != shape.numel()) {
        fail_shape(
            "from_vector",
            text(numbers.size(), " numbers were given, shape ", shape, " needs ", shape.numel()),
            where);
    }
    Tensor x = Tensor::uninitialized(shape);
    std::copy(numbers.begin(), numbers.end(), x.writable_data());
    return x;
}

Tensor full(const Shape& shape, double value) {
    Tensor x = Tensor::uninitialized(shape);
    Scalar* numbers = x.writable_data();
    in_parallel(shape.numel(), numbers_at_a_time, [&](std::int64_t begin, std::int64_t end) {
        std::fill(numbers + begin, numbers + end, static_cast<Scalar>(value));
    });
    return x;
}

Tensor zeros(const Shape& shape) { return full(shape, 0); }

Tensor ones(const Shape& shape) { return full(shape, 1); }

Tensor zeros_like(const Tensor& x) { return zeros(x.shape()); }

Tensor ones_like(const Tensor& x) { return ones(x.shape()); }

Tensor eye(std::int64_t n, Where where) { return eye(n, n, where); }

Tensor eye(std::int64_t n, std::int64_t columns, Where where) {
    if (n < 0 || columns < 0) {
        fail_shape("eye", text(n, " rows and ", columns, " columns; both must be 0 or more"),
                   where);
    }
    Tensor x = zeros(Shape({n, columns}, where));
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < std::min(n, columns); ++i) out[i * columns + i] = 1;
    return x;
}

Tensor arange(double end, Where where) { return arange(0, end, 1, where); }

Tensor arange(double start, double end, double step, Where where) {
    check_finite("arange", "start", start, where);
    check_finite("arange", "end", end, where);
    check_finite("arange", "step", step, where);
    if (step == 0) fail_argument("arange", "the step is 0; it would never reach the end", where);

    const double count = std::ceil((end - start) / step);
    const double limit = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 8);
    if (count > limit) {
        fail_argument("arange",
                      text("from ", start, " to ", end, " in steps of ", step,
                           " are more numbers than memory can be addressed"),
                      where);
    }
    return counted(start, step, static_cast<std::int64_t>(std::max(count, 0.0)), where);
}

Tensor linspace(double start, double end, std::int64_t count, Where where) {
    if (count < 0) {
        fail_argument("linspace", text("the count is ", count, "; it must be 0 or more"), where);
    }
    check_finite("linspace", "start", start, where);
    check_finite("linspace", "end", end, where);
    check_finite("linspace", "end - start", end - start, where);

    const double step = count > 1 ? (end - start) / static_cast<double>(count - 1) : 0;
    Tensor x = counted(start, step, count, where);
    if (count > 1) x.writable_data()[count - 1] = static_cast<Scalar>(end);
    return x;
}

Tensor uniform(const Shape& shape, Random& random, double low, double high, Where where) {
    check_finite("uniform", "low", low, where);
    check_finite("uniform", "high", high, where);
    check_finite("uniform", "high - low", high - low, where);
    if (low > high) {
        fail_argument("uniform",
                      text("low is ", low, " and high is ", high, "; low must not be above high"),
                      where);
    }
    // Rounding may carry a draw up to `high`, which is excluded.
    const Scalar bound = static_cast<Scalar>(high);
    const Scalar largest = std::nextafter(bound, static_cast<Scalar>(low));
    Tensor x = Tensor::uninitialized(shape);
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        const Scalar drawn = static_cast<Scalar>(low + (high - low) * random.uniform());
        out[i] = drawn < bound ? drawn : largest;
    }
    return x;
}

Tensor normal(const Shape& shape, Random& random, double mean, double deviation, Where where) {
    check_finite("normal", "mean", mean, where);
    check_finite("normal", "deviation", deviation, where);
    if (deviation < 0) {
        fail_argument("normal",
                      text("the standard deviation is ", deviation, "; it must be 0 or more"),
                      where);
    }
    Tensor x = Tensor::uninitialized(shape);
    Scalar* out = x.writable_data();
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        out[i] = static_cast<Scalar>(mean + deviation * random.normal());
    }
    return x;
}

}  // namespace heed::inline HEED_PRECISION::tensor
