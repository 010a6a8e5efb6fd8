// Tensors with unusual strides, and loops over all indices, to test laws by brute force against
// formulas on indices.
#pragma once

#include "tensor/factories.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <vector>

using Index = std::vector<std::int64_t>;

// Every index of `shape`, in row-major order.
inline std::vector<Index> indices_of(const heed::Shape& shape) {
    std::vector<Index> all;
    Index index(static_cast<std::size_t>(shape.rank()), 0);
    for (std::int64_t n = 0; n < shape.numel(); ++n) {
        std::int64_t rest = n;
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            index[static_cast<std::size_t>(axis)] = rest % shape[axis];
            rest /= shape[axis];
        }
        all.push_back(index);
    }
    return all;
}

// The distance in memory from the first entry to this one.
inline std::int64_t distance(const heed::Dims& strides, const Index& index) {
    std::int64_t sum = 0;
    for (int axis = 0; axis < strides.size(); ++axis) {
        sum += strides[axis] * index[static_cast<std::size_t>(axis)];
    }
    return sum;
}

inline heed::Scalar entry(const heed::Tensor& x, const Index& index) {
    return x.data()[distance(x.strides(), index)];
}

// Whether entry (i, j, ...) of x is source(i, j, ...) for every index.
inline bool follows(const heed::Tensor& x, const heed::Shape& shape,
                    const std::function<heed::Scalar(const Index&)>& source) {
    if (!(x.shape() == shape)) return false;
    for (const Index& index : indices_of(shape)) {
        if (entry(x, index) != source(index)) return false;
    }
    return true;
}

// Lengths that all differ, from 1 to rank + 1; occasionally one of them is 0.
inline heed::Shape random_shape(heed::Random& random, int rank) {
    Index lengths = random.permutation(rank + 1);
    lengths.resize(static_cast<std::size_t>(rank));
    for (std::int64_t& length : lengths) ++length;
    if (rank > 0 && random.below(8) == 0) lengths[static_cast<std::size_t>(random.below(rank))] = 0;
    return heed::Shape(heed::Dims(lengths));
}

// Strides of a window: axes in random memory order, with gaps, one in five repeated (stride 0).
inline heed::Dims random_strides(heed::Random& random, const heed::Shape& shape) {
    Index strides(static_cast<std::size_t>(shape.rank()));
    std::int64_t step = 1 + random.below(2);
    for (std::int64_t axis : random.permutation(shape.rank())) {
        const bool repeated = random.below(5) == 0;
        strides[static_cast<std::size_t>(axis)] = repeated ? 0 : step;
        if (!repeated) step *= shape[static_cast<int>(axis)] + random.below(2);
        if (step == 0) step = 1;
    }
    return heed::Dims(strides);
}

inline heed::Tensor window_with(heed::Random& random, const heed::Shape& shape,
                                const std::function<heed::Scalar(std::int64_t)>& number) {
    const heed::Dims strides = random_strides(random, shape);
    std::int64_t size = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] > 0) size += (shape[axis] - 1) * strides[axis];
    }
    const std::int64_t offset = random.below(4);
    heed::Tensor numbers = heed::Tensor::uninitialized({size + offset});
    heed::Scalar* data = numbers.writable_data();
    for (std::int64_t i = 0; i < size + offset; ++i) data[i] = number(i);
    return heed::Tensor(numbers.storage(), offset, shape, strides);
}

// A window whose entries are their own positions in the storage.
inline heed::Tensor counted_window(heed::Random& random, const heed::Shape& shape) {
    return window_with(random, shape, [](std::int64_t i) { return static_cast<heed::Scalar>(i); });
}

// A window of whole numbers from -8 to 8, for which sums of products are exact.
inline heed::Tensor random_window(heed::Random& random, const heed::Shape& shape) {
    return window_with(random, shape, [&random](std::int64_t) {
        return static_cast<heed::Scalar>(random.below(17) - 8);
    });
}

// Σ a·b over all entries.
inline double dot(const heed::Tensor& a, const heed::Tensor& b) {
    double sum = 0;
    for (const Index& index : indices_of(a.shape())) {
        sum += static_cast<double>(entry(a, index)) * static_cast<double>(entry(b, index));
    }
    return sum;
}

inline Index changed(Index index, int axis, std::int64_t number) {
    index[static_cast<std::size_t>(axis)] = number;
    return index;
}

inline std::int64_t at(const Index& index, int axis) {
    return index[static_cast<std::size_t>(axis)];
}
