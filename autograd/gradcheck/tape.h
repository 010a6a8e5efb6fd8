// Tape: a list of what is being recorded, with the numbers, which the graph itself does not keep.
// gradcheck reads it to test each operation by itself.
#pragma once

#include "heed/autograd/record.h"

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
class Tape {
  public:
    Tape();
    ~Tape();
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    const std::vector<TapeEntry>& entries() const { return entries_; }

    // Called for each recorded operation.
    static void note(const std::shared_ptr<Node>& node, const Tensor& value, const Inputs& inputs);

  private:
    std::vector<TapeEntry> entries_;
    Tape* outer_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
