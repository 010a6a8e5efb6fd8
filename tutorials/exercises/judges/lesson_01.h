// What the exercises of lesson 01 ask for.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using Ints = std::vector<std::int64_t>;

// A tensor's memory layout: each list has one entry per axis.
struct Layout {
    Ints shape;
    Ints strides;
};

struct StridesByHand {
    std::function<Ints(const Ints& shape)> row_major_strides;
    std::function<std::int64_t(const Ints& index, const Ints& strides)> offset_of;
    std::function<Layout(const Layout& x, std::size_t axis_a, std::size_t axis_b)> transposed;
};
extern const Judge<StridesByHand> judge_01_1;

struct BroadcastingByHand {
    // the lengths of both -> those of their sum; std::invalid_argument where they do not fit
    std::function<Ints(const Ints& a, const Ints& b)> shape;
    // x and y with one or two axes each, two in the sum
    std::function<heed::Tensor(const heed::Tensor& x, const heed::Tensor& y)> add;
};
extern const Judge<BroadcastingByHand> judge_01_2;

using Product = std::function<heed::Tensor(const heed::Tensor& A, const heed::Tensor& B)>;
struct MatmulByHand {
    Product of_matrices;  // [n, K]·[K, m] -> [n, m]
    Product of_batches;   // [b, n, K]·[b, K, m] -> [b, n, m]
};
extern const Judge<MatmulByHand> judge_01_3;

// The learner's predictions, in the order of the questions.
struct Predictions {
    std::function<double()> transposed_entry, reshaped_entry;
    std::function<heed::Shape()> permuted_shape;
    std::function<heed::Dims()> sliced_strides;
    std::function<heed::Shape()> sum_shape;
    std::function<double()> sum_entry;
    std::function<heed::Shape()> kept_shape;
    std::function<double()> reduced_entry;
    std::function<heed::Shape()> product_shape;
};
extern const Judge<Predictions> judge_01_4;

using Reduction = std::function<heed::Tensor(const heed::Tensor& x, int axis)>;
struct ReductionsByHand {
    Reduction sum;       // x [n, m]: the axis is dropped
    Reduction mean;      // the axis stays, with length 1
    Reduction variance;  // the same; divided by the number of entries
};
extern const Judge<ReductionsByHand> judge_01_5;

}  // namespace exercise
