// Derivatives by finite differences, for gradcheck: the function's own value is all they need.
#pragma once

#include "heed/autograd/variable.h"

#include <functional>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

using Numbers = std::vector<double>;

// A function with one or several results: the derivative of a function is one, too.
using CheckedOutputs = std::function<std::vector<Variable>(const std::vector<Variable>& inputs)>;

// In a storage of its own, each entry where it was: strides and offset are kept, also those of an
// expanded axis, unless `apart`: then each entry gets a place of its own, to be changed alone.
Tensor copy_with_strides(const Tensor& x, bool apart = false);
std::vector<Variable> as_leaves(const std::vector<Tensor>& inputs);

// The entries of all of them, one after the other.
Numbers numbers_of(const std::vector<Tensor>& tensors);
Numbers numbers_of(const std::vector<Variable>& variables);

// Where the steps are taken, and the derivative from the four values found there:
//     f'(x) ≈ (f(x - 2h) - 8 f(x - h) + 8 f(x + h) - f(x + 2h)) / 12h        error O(h⁴)
inline constexpr int steps = 4;
inline constexpr double step_at[steps] = {-2, -1, 1, 2};
Numbers derivative_from(const Numbers (&at)[steps], double step);

// Changes one input, entry by entry, and sees what becomes of the outputs.
class Differences {
  public:
    Differences(const CheckedOutputs& f, const std::vector<Tensor>& inputs, int input, double step);

    // d(each output entry)/d(entry), `entry` counted in row-major order.
    Numbers by(std::int64_t entry);

  private:
    const CheckedOutputs& f_;
    std::vector<Tensor> inputs_;
    int input_;
    double step_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
