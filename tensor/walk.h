// Walk: visits the rows of one shape in several strided tensors at once.
// A row is a run along the last axis, which a kernel processes in one call; the other axes are
// counted like an odometer. Axes that form one line in every tensor are merged first.
#pragma once

#include "shape.h"

#include <cstddef>
#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// for (Walk<2> walk(shape, {&strides_a, &strides_b}); !walk.done(); walk.next())
//     kernel(walk.row_length(), a + walk.offset(0), walk.row_stride(0), ...)
template <std::size_t tensors>
class Walk {
  public:
    // Each Dims has a stride for every axis of `shape` (0 where the tensor is broadcast).
    Walk(const Shape& shape, const Dims* const (&strides)[tensors]) {
        for (int axis = 0; axis < shape.rank(); ++axis)
            add_axis(shape.unchecked(axis), strides, axis);
        if (rank_ == 0) add_row_of_one();
        done_ = shape.numel() == 0;
    }

    bool done() const { return done_; }
    std::int64_t rows() const {
        std::int64_t rows = done_ ? 0 : 1;
        for (int axis = 0; axis + 1 < rank_; ++axis) rows *= lengths_[axis];
        return rows;
    }
    std::int64_t row_length() const { return lengths_[rank_ - 1]; }
    std::int64_t row_stride(std::size_t tensor) const { return strides_[tensor][rank_ - 1]; }
    std::int64_t offset(std::size_t tensor) const { return offsets_[tensor]; }

    void next() {
        for (int axis = rank_ - 2; axis >= 0; --axis) {
            for (std::size_t t = 0; t < tensors; ++t) offsets_[t] += strides_[t][axis];
            if (++counts_[axis] < lengths_[axis]) return;
            counts_[axis] = 0;
            for (std::size_t t = 0; t < tensors; ++t)
                offsets_[t] -= lengths_[axis] * strides_[t][axis];
        }
        done_ = true;
    }

    // Moves a walk that has not begun to row `row`.
    void start_at(std::int64_t row) {
        for (int axis = rank_ - 2; axis >= 0; --axis) {
            counts_[axis] = row % lengths_[axis];
            row /= lengths_[axis];
            for (std::size_t t = 0; t < tensors; ++t)
                offsets_[t] += counts_[axis] * strides_[t][axis];
        }
    }

  private:
    void add_axis(std::int64_t length, const Dims* const (&strides)[tensors], int axis) {
        if (length == 1) return;
        if (rank_ > 0 && continues_the_last(length, strides, axis)) {
            lengths_[rank_ - 1] *= length;
        } else {
            lengths_[rank_++] = length;
        }
        for (std::size_t t = 0; t < tensors; ++t)
            strides_[t][rank_ - 1] = (*strides[t]).unchecked(axis);
    }

    bool continues_the_last(std::int64_t length, const Dims* const (&strides)[tensors],
                            int axis) const {
        for (std::size_t t = 0; t < tensors; ++t) {
            if (strides_[t][rank_ - 1] != length * (*strides[t]).unchecked(axis)) return false;
        }
        return true;
    }

    void add_row_of_one() {
        lengths_[0] = 1;
        for (std::size_t t = 0; t < tensors; ++t) strides_[t][0] = 1;
        rank_ = 1;
    }

    int rank_ = 0;
    bool done_ = false;
    std::int64_t lengths_[max_rank] = {};
    std::int64_t counts_[max_rank] = {};
    std::int64_t strides_[tensors][max_rank] = {};
    std::int64_t offsets_[tensors] = {};
};

}}  // namespace heed
