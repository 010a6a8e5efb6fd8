// Tape: a list of recorded operations with their values, which the graph itself does not keep.
// gradcheck reads it to test each operation alone.
#pragma once

#include "../observer.h"
#include "../operation.h"

#include <memory>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct TapeEntry {
    std::shared_ptr<Node> node;
    Tensor value;
    std::vector<Tensor> inputs;  // their values, including constants
};

// Tape tape;   lists this thread's recorded operations in order, to the end of the block.
class Tape final : private Observer {
  public:
    Tape() : observing_(*this) {}

    const std::vector<TapeEntry>& entries() const { return entries_; }

  private:
    void recorded(const std::shared_ptr<Node>& node, const Tensor& value,
                  const OperationInputs& inputs) override {
        std::vector<Tensor> values;
        for (int i = 0; i < inputs.size(); ++i) values.push_back(inputs[i]);
        entries_.push_back({node, value, std::move(values)});
    }

    std::vector<TapeEntry> entries_;
    Observing observing_;
};

}}  // namespace heed
