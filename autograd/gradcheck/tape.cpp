#include "heed/autograd/gradcheck/tape.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {
thread_local Tape* innermost = nullptr;
}

Tape::Tape() : outer_(innermost) { innermost = this; }

Tape::~Tape() { innermost = outer_; }

void Tape::note(const std::shared_ptr<Node>& node, const Tensor& value, const Inputs& inputs) {
    if (!innermost) return;
    std::vector<Tensor> values;
    for (int i = 0; i < inputs.size(); ++i) values.push_back(inputs[i].value());
    innermost->entries_.push_back({node, value, std::move(values)});
}

}  // namespace HEED_PRECISION
}  // namespace heed
