// The inputs of one operation, in order: {&A, &B}, or a vector of any length.
#pragma once

#include "variable.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Holds pointers to variables, which must outlive it.
class OperationInputs {
  public:
    OperationInputs(const Variable* a, const Variable* b = nullptr, const Variable* c = nullptr,
                    const Variable* d = nullptr)
        : few_{a, b, c, d}, size_(1 + (b != nullptr) + (c != nullptr) + (d != nullptr)) {}
    OperationInputs(const std::vector<Variable>& inputs)
        : many_(inputs.data()), size_(static_cast<int>(inputs.size())) {}

    int size() const { return size_; }
    const Variable& variable(int i) const { return many_ ? many_[i] : *few_[i]; }
    const Tensor& operator[](int i) const { return variable(i).value(); }

  private:
    const Variable* few_[4] = {};
    const Variable* many_ = nullptr;
    int size_;
};

}}  // namespace heed
