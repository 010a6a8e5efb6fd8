#include "differences.h"

#include "../../tensor/views.h"

#include <algorithm>
#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The distance in memory of entry `entry`, counted in row-major order, from the first.
std::int64_t distance(const Tensor& x, std::int64_t entry) {
    std::int64_t places = 0;
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
        places += entry % x.shape()[axis] * x.strides()[axis];
        entry /= x.shape()[axis];
    }
    return places;
}

bool has_expanded_axis(const Tensor& x) {
    for (int axis = 0; axis < x.rank(); ++axis) {
        if (x.strides()[axis] == 0 && x.shape()[axis] > 1) return true;
    }
    return false;
}

// Equal infinities are no change (inf - inf would be NaN).
double change(double from, double to) { return from == to ? 0 : to - from; }

}  // namespace

Tensor copy_with_strides(const Tensor& x, bool apart) {
    if (x.numel() == 0 || (apart && has_expanded_axis(x))) return tensor::clone(x);
    const std::int64_t last = distance(x, x.numel() - 1);
    const std::shared_ptr<Storage> storage = std::make_shared<Storage>(x.offset() + last + 1);
    // NaN between the entries, so that reading outside the tensor is noticed.
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    std::fill(storage->data(), storage->data() + storage->size(), nan);
    Tensor copy(storage, x.offset(), x.shape(), x.strides());
    Scalar* numbers = copy.writable_data();
    for (std::int64_t entry = 0; entry < x.numel(); ++entry) {
        const std::int64_t place = distance(x, entry);
        numbers[place] = x.data()[place];
    }
    return copy;
}

std::vector<Variable> as_leaves(const std::vector<Tensor>& inputs) {
    std::vector<Variable> leaves;
    for (const Tensor& input : inputs) leaves.push_back(Variable(input, requires_grad));
    return leaves;
}

Numbers numbers_of(const std::vector<Tensor>& tensors) {
    Numbers numbers;
    for (const Tensor& x : tensors) {
        for (const Scalar number : x.to_vector()) numbers.push_back(number);
    }
    return numbers;
}

Numbers numbers_of(const std::vector<Variable>& variables) {
    std::vector<Tensor> values;
    for (const Variable& x : variables) values.push_back(x.value());
    return numbers_of(values);
}

Numbers derivative_from(const Numbers (&at)[sampled], double step) {
    Numbers derivative(at[0].size());
    for (std::size_t i = 0; i < derivative.size(); ++i) {
        const double near = change(at[1][i], at[2][i]);
        const double far = change(at[0][i], at[3][i]);
        derivative[i] = (8 * near - far) / (12 * step);
    }
    return derivative;
}

Differences::Differences(const CheckedOutputs& f, const std::vector<Tensor>& inputs, int input,
                         double step)
    : f_(f), input_(input), step_(step) {
    for (const Tensor& x : inputs) inputs_.push_back(copy_with_strides(x, true));
}

Numbers Differences::by(std::int64_t entry) {
    Tensor& x = inputs_[static_cast<std::size_t>(input_)];
    const std::int64_t place = distance(x, entry);
    const Scalar before = x.data()[place];
    Numbers at[sampled];
    for (int i = 0; i < sampled; ++i) {
        x.writable_data()[place] = static_cast<Scalar>(before + step_at[i] * step_);
        at[i] = numbers_of(f_(as_leaves(inputs_)));
    }
    x.writable_data()[place] = before;
    return derivative_from(at, step_);
}

}}  // namespace heed
