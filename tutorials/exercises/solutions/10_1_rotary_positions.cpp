// 10.1 Rotary positions                                      fill · 20 minutes · about 12 lines
//
// Rotary positions add nothing to the words. They turn queries and keys: features 2i and 2i + 1 of
// a vector are the coordinates of a point, which is turned about the origin, counterclockwise, from
// the first axis to the second. At position t the angle is t·θ_i with θ_i = 10000^(-2i/d), for the
// pairs i = 0, ..., d/2 - 1. Of two angles only their difference is left in a product q·k, so that
// a score depends on how far the two are apart, and not on where they are.
// Su et al. 2021, equations 15 and 34; lesson 10.5. (Some models pair feature i with i + d/2; here
// neighbours are a pair.)
//
// angles: T positions, the first of which is `first` -> t·θ_i for t = first, ..., first + T - 1,
// [T, d/2], in radians. T is at least 1, d is even, and first is 0 or more, perhaps thousands.
// turned: x [..., T, d], queries or keys; row 0 of the T rows is at position `first` -> the same
// shape, each row turned. Any number of leading axes (texts, heads): each has the same positions.
// `turned` refuses an odd d with std::invalid_argument. Keep to variables: gradients must reach x.
#include "tutorials/exercises/judges/lesson_10.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/views.h"

#include <stdexcept>

using namespace heed;

Tensor angles(std::int64_t T, std::int64_t d, std::int64_t first) {
    // begin stub
    //     exercise::not_done("10.1");
    // begin solution
    const double dimensions = static_cast<double>(d);
    const Tensor exponents = tensor::arange(0, dimensions, 2) / dimensions;  // 2i/d, [d/2]
    const Tensor theta = tensor::pow(tensor::of(10000), -exponents);         // [d/2]
    const Tensor t = tensor::arange(static_cast<double>(T)) + static_cast<double>(first);  // [T]
    return tensor::unsqueeze(t, 1) * theta;  // [T, d/2]
    // end
}

Variable turned(const Variable& x, std::int64_t first) {
    // begin stub, stop in turned
    //     exercise::not_done("10.1");
    // begin solution
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    if (d % 2 != 0) throw std::invalid_argument("d must be even: features turn in pairs");
    const Tensor by = angles(T, d, first);  // [T, d/2]
    const Variable cos(tensor::cos(by)), sin(tensor::sin(by));
    const Variable a = slice(x, -1, 0, d, 2), b = slice(x, -1, 1, d, 2);       // [..., T, d/2]
    const Variable pairs = stack({a * cos - b * sin, a * sin + b * cos}, -1);  // [..., T, d/2, 2]
    return flatten(pairs, -2, -1);                                             // [..., T, d]
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_10_1({angles, turned}), argc, argv);
}
