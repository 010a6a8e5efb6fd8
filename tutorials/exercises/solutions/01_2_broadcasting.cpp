// 01.2 Broadcasting by hand                                  fill · 15 minutes · about 20 lines
//
// Tensors of different shapes can be added: their shapes are aligned at the LAST axis, and along
// each axis the lengths must be equal, or one of them must be 1 (or missing) and is then repeated.
// Adding a mask to scores or a bias to a layer relies on it. Lesson 01.5.
//
// Two holes:
//   shape_of_sum   [4, 1, 3] and [2, 3] -> [4, 2, 3]. If the shapes do not fit, throw
//                  std::invalid_argument. [] is the shape of a single number and fits every shape.
//                  A length may be 0: 0 and 1 fit, and give 0.
//   sum_by_loops   x and y with one or two axes each, at least one of them with two, and none of
//                  length 0: [2, 3] + [3], [2, 3] + [2, 1], [1, 3] + [2, 1], [3] + [2, 3] ... ->
//                  their sum, entry by entry. x(i, j) reads an entry (a Scalar, which is double
//                  here), x.dim(0) a length. The shapes fit: no need to check. x and y stay as they
//                  are. (The operator + would do it all; here you write it yourself.)
#include "tutorials/exercises/judges/lesson_01.h"

#include "tensor/factories.h"

#include <algorithm>
#include <stdexcept>

using namespace heed;
using exercise::Ints;

Ints shape_of_sum(const Ints& a, const Ints& b) {
    // begin stub, stop in shape_of_sum, without arithmetic.h ops.h heed.h
    //     exercise::not_done("01.2");
    // begin solution
    const std::size_t rank = std::max(a.size(), b.size());
    Ints sum(rank, 1);
    for (std::size_t k = 1; k <= rank; ++k) {  // the k-th axis from the end
        const std::int64_t of_a = k <= a.size() ? a[a.size() - k] : 1;
        const std::int64_t of_b = k <= b.size() ? b[b.size() - k] : 1;
        if (of_a != of_b && of_a != 1 && of_b != 1) throw std::invalid_argument("do not fit");
        sum[rank - k] = of_a == 1 ? of_b : of_a;
    }
    return sum;
    // end
}

// begin stub
// begin solution
// x(i, j), where an axis that is missing or of length 1 gives the same entry for every index.
Scalar repeated(const Tensor& x, std::int64_t i, std::int64_t j) {
    const std::int64_t column = x.dim(-1) == 1 ? 0 : j;
    if (x.rank() == 1) return x(column);
    const std::int64_t row = x.dim(0) == 1 ? 0 : i;
    return x(row, column);
}

// end
Tensor sum_by_loops(const Tensor& x, const Tensor& y) {
    // begin stub
    //     exercise::not_done("01.2");
    // begin solution
    const std::int64_t x_rows = x.rank() == 1 ? 1 : x.dim(0);
    const std::int64_t y_rows = y.rank() == 1 ? 1 : y.dim(0);
    const std::int64_t rows = std::max(x_rows, y_rows);
    const std::int64_t columns = std::max(x.dim(-1), y.dim(-1));
    std::vector<Scalar> sum;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
            sum.push_back(repeated(x, i, j) + repeated(y, i, j));
        }
    }
    return tensor::from_vector(sum, {rows, columns});
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_01_2({shape_of_sum, sum_by_loops}), argc, argv);
}
