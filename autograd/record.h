// Recording: how an operation on variables puts itself into the graph.
#pragma once

#include "heed/autograd/grad_mode.h"
#include "heed/autograd/operation.h"
#include "heed/autograd/variable.h"

#include <memory>
#include <utility>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// The inputs of one operation, in order: {&A, &B}, or a vector, which must outlive it.
class Inputs {
  public:
    Inputs(const Variable* a, const Variable* b = nullptr, const Variable* c = nullptr)
        : few_{a, b, c}, size_(c   ? 3
                               : b ? 2
                                   : 1) {}
    Inputs(const std::vector<Variable>& inputs)
        : many_(inputs.data()), size_(static_cast<int>(inputs.size())) {}

    int size() const { return size_; }
    const Variable& operator[](int i) const { return many_ ? many_[i] : *few_[i]; }

  private:
    const Variable* few_[3] = {};
    const Variable* many_ = nullptr;
    int size_;
};

// Is recording on, and does any input ask for it?
bool needs_recording(const Inputs& inputs);

// A variable with this value whose node owns `operation`.
Variable attach(const Tensor& value, std::unique_ptr<Operation> operation, const Inputs& inputs,
                const CallSite& site);

// With anomaly detection on: an error where `operation` is the first to give NaN or infinity.
void check_forward(const Operation& operation, const Tensor& value, const Inputs& inputs,
                   const CallSite& site);
bool anomaly_detection_enabled();

// The result of an operation: `value`, made from `inputs`. Where a derivative may be asked for, an
// Op is made from `arguments` and kept; else the result is a constant.
//     return record<Matmul>(C, {&A, &B}, where, A, B);
template <class Op, class... Arguments>
Variable record(const Tensor& value, const Inputs& inputs, const CallSite& site,
                const Arguments&... arguments) {
    if (anomaly_detection_enabled()) check_forward(Op(arguments...), value, inputs, site);
    if (!needs_recording(inputs)) return Variable(value);
    std::unique_ptr<Operation> operation(new Op(arguments...));  // which one can step into
    return attach(value, std::move(operation), inputs, site);
}

}  // namespace HEED_PRECISION
}  // namespace heed
