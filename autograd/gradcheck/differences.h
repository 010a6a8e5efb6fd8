// Derivatives by finite differences, for gradcheck: they need only the function's values.
#pragma once

#include "../variable.h"

#include <functional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

using Numbers = std::vector<double>;

// A function with one or several results, like the derivative of a function.
using CheckedOutputs = std::function<std::vector<Variable>(const std::vector<Variable>& inputs)>;

// A copy in a storage of its own with the same strides and offset, including those of an expanded
// axis. With `apart`, a tensor with an expanded axis is copied so that its entries do not share
// memory, and each can be changed alone.
Tensor copy_with_strides(const Tensor& x, bool apart = false);
std::vector<Variable> as_leaves(const std::vector<Tensor>& inputs);

// The entries of all tensors, concatenated.
Numbers numbers_of(const std::vector<Tensor>& tensors);
Numbers numbers_of(const std::vector<Variable>& variables);

// The points at which the function is evaluated, in steps, and the derivative from its four values:
//     f'(x) ≈ (f(x - 2h) - 8 f(x - h) + 8 f(x + h) - f(x + 2h)) / 12h        error O(h⁴)
inline constexpr int sampled = 4;
inline constexpr double step_at[sampled] = {-2, -1, 1, 2};
Numbers derivative_from(const Numbers (&at)[sampled], double step);

// Changes one input, entry by entry, and measures how the outputs change.
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

}}  // namespace heed
