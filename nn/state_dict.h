// A state dictionary: the numbers of a network by the names of its parameters, in their order.
// Names and layouts are PyTorch's, so weights can travel.
#pragma once

#include "heed/nn/module.h"

#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

class StateDict {
  public:
    struct Entry {
        std::string name;
        Tensor value;
    };

    // Takes a copy of the numbers. Error: the name is there already (std::invalid_argument).
    void add(const std::string& name, const Tensor& value, CallSite site = CallSite::here());
    bool contains(const std::string& name) const;
    // Error: no such name (std::out_of_range, which lists those there are).
    const Tensor& at(const std::string& name, CallSite site = CallSite::here()) const;

    // Takes the entry out. Error: no such name, as above.
    Tensor take(const std::string& name, CallSite site = CallSite::here());

    std::size_t size() const { return entries_.size(); }
    std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
    std::vector<Entry>::const_iterator end() const { return entries_.end(); }

  private:
    const Entry* find(const std::string& name) const;

    std::vector<Entry> entries_;
};

// A copy of all parameters. One that has two names in the network is there under both.
StateDict state_dict(const Module& module, CallSite site = CallSite::here());

// Overwrites the parameters with the numbers of `state`; optimizers keep their handles. A layer may
// know other names for its numbers (MultiHeadAttention: PyTorch's), and takes these too.
// Error (std::invalid_argument): names that are missing or not expected, shapes that differ; all
// of them are listed, and nothing is loaded.
void load_state_dict(Module& module, const StateDict& state, CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
