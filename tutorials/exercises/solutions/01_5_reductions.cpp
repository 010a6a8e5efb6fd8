// 01.5 Sum, mean and variance along an axis                  fill · 15 minutes · about 20 lines
//
// A reduction over axis 0 runs down the columns: many rows become one. Over axis 1 it runs along
// the rows. Layer norm takes a mean and a variance along each row, softmax divides by a sum along
// each row; with the wrong axis the model runs, but is wrong. Lesson 01.6.
//
// Three holes, for x [n, m] and axis 0 or 1, without the library's reductions:
//   sum_along        -> [m] or [n]: the axis is dropped. Only here it may have length 0: a sum of
//                       no numbers is 0
//   mean_along       -> [1, m] or [n, 1]: the axis is kept, with length 1, so that the result
//                       broadcasts against x
//   variance_along   -> [1, m] or [n, 1]: the mean of (x - mean)², divided by the number of entries
//                       (not one less). It must also be accurate where means are large, near 1e9.
// x(i, j) reads an entry (a Scalar, which is double here), x.dim(0) a length. x stays as it is.
// Reuse what you wrote: x - mean_along(x, axis) broadcasts, tensor::reshape(s, {1, m}) restores an
// axis.
#include "tutorials/exercises/judges/lesson_01.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/views.h"

using namespace heed;

Tensor sum_along(const Tensor& x, int axis) {
    // begin stub, stop in sum_along, without reduce.h ops.h heed.h cumsum einsum matmul
    //     exercise::not_done("01.5");
    // begin solution
    const int other = 1 - axis;
    std::vector<Scalar> sums(static_cast<std::size_t>(x.dim(other)), 0);
    for (std::int64_t i = 0; i < x.dim(0); ++i) {
        for (std::int64_t j = 0; j < x.dim(1); ++j) {
            const std::int64_t kept = axis == 0 ? j : i;
            sums[static_cast<std::size_t>(kept)] += x(i, j);
        }
    }
    return tensor::from_vector(sums, {x.dim(other)});
    // end
}

Tensor mean_along(const Tensor& x, int axis) {
    // begin stub
    //     exercise::not_done("01.5");
    // begin solution
    const Tensor mean = sum_along(x, axis) / static_cast<double>(x.dim(axis));
    return tensor::unsqueeze(mean, axis);
    // end
}

Tensor variance_along(const Tensor& x, int axis) {
    // begin stub
    //     exercise::not_done("01.5");
    // begin solution
    const Tensor centred = x - mean_along(x, axis);
    return mean_along(centred * centred, axis);
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_01_5({sum_along, mean_along, variance_along}), argc, argv);
}
