#include "tape.h"

namespace heed { inline namespace HEED_PRECISION {

void Tape::recorded(const std::shared_ptr<Node>& node, const Tensor& value,
                    const OperationInputs& inputs) {
    std::vector<Tensor> values;
    for (int i = 0; i < inputs.size(); ++i) values.push_back(inputs[i]);
    entries_.push_back({node, value, std::move(values)});
}

}}  // namespace heed
