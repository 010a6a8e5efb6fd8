// A walk over strided tensors on several threads: the rows of Walk, split where one is long.
#pragma once

#include "runtime/parallel.h"
#include "walk.h"

namespace heed { inline namespace HEED_PRECISION {

// A row or a part of one: entry i of tensor t is at offset[t] + i·stride[t].
template <std::size_t tensors>
struct Run {
    std::int64_t length;
    std::int64_t offset[tensors];
    std::int64_t stride[tensors];
};

// Whether all entries of `shape` form one run in every tensor; if so, `run` is it.
template <std::size_t tensors>
bool is_one_run(const Shape& shape, const Dims* const (&strides)[tensors], Run<tensors>& run) {
    run.length = 1;
    for (std::size_t t = 0; t < tensors; ++t) {
        run.offset[t] = 0;
        run.stride[t] = 1;
    }
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        if (shape.unchecked(axis) == 1) continue;
        for (std::size_t t = 0; t < tensors; ++t) {
            const std::int64_t stride = (*strides[t]).unchecked(axis);
            if (run.length == 1) run.stride[t] = stride;
            if (stride != run.length * run.stride[t]) return false;
        }
        run.length *= shape.unchecked(axis);
    }
    return true;
}

// Calls body(run) for runs that together cover `shape`, in any order. `strides` as for Walk. What
// body computes for an entry must not depend on where its run begins.
template <std::size_t tensors, class Body>
void parallel_walk(const Shape& shape, const Dims* const (&strides)[tensors], const Body& body) {
    Run<tensors> row;
    if (is_one_run(shape, strides, row)) {
        if (row.length == 0) return;
        if (row.length <= grain_of_numbers) return body(row);
        parallel_for(row.length, grain_of_numbers, [&](std::int64_t begin, std::int64_t end) {
            Run<tensors> part = row;
            part.length = end - begin;
            for (std::size_t t = 0; t < tensors; ++t) part.offset[t] = begin * row.stride[t];
            body(part);
        });
        return;
    }
    const Walk<tensors> whole(shape, strides);
    if (whole.done()) return;
    row.length = whole.row_length();
    for (std::size_t t = 0; t < tensors; ++t) row.stride[t] = whole.row_stride(t);

    const std::int64_t rows = whole.rows();
    const std::int64_t rows_at_a_time =
        row.length < grain_of_numbers ? grain_of_numbers / row.length : 1;
    parallel_for(rows, rows_at_a_time, [&](std::int64_t begin, std::int64_t end) {
        Walk<tensors> walk = whole;
        walk.start_at(begin);
        Run<tensors> part = row;
        for (std::int64_t i = begin; i < end; ++i, walk.next()) {
            for (std::size_t t = 0; t < tensors; ++t) part.offset[t] = walk.offset(t);
            body(part);
        }
    });
}

}}  // namespace heed
