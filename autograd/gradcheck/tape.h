// Tape: a list of what is being recorded, with the numbers, which the graph itself does not keep.
// gradcheck reads it to test each operation by itself.
#pragma once

#include "heed/autograd/observer.h"
#include "heed/autograd/operation_inputs.h"

#include <memory>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

struct TapeEntry {
    std::shared_ptr<Node> node;
    Tensor value;
    std::vector<Tensor> inputs;  // their values, of constants too
};

// Tape tape;   from here to the end of the block, operations of this thread are listed in order.
class Tape final : private Observer {
  public:
    Tape() : observing_(*this) {}

    const std::vector<TapeEntry>& entries() const { return entries_; }

  private:
    void recorded(const std::shared_ptr<Node>& node, const Tensor& value,
                  const OperationInputs& inputs) override;

    std::vector<TapeEntry> entries_;
    Observing observing_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
