// Parameter: a leaf that belongs to one layer, so that layers can be copied like numbers.
// A Variable is a handle, and its copies are one thing. A copied Parameter has numbers of its own.
#pragma once

#include "heed/autograd/variable.h"

#include <string>

namespace heed {
inline namespace HEED_PRECISION {

// It is a Variable, and passes as one: `Variable W = layer.weight;` is a handle to it.
class Parameter : public Variable {
  public:
    Parameter() = default;  // not set: no numbers and no node
    // A leaf with a copy of these numbers, called `name` in graphs and messages.
    explicit Parameter(const Tensor& value, const std::string& name = "");

    // A copy has the same numbers and is frozen where the original is; it has no gradient yet.
    Parameter(const Parameter& other);
    Parameter(Parameter&& other) noexcept = default;
    // Assigning overwrites the numbers in place and forgets the gradient, so handles to this
    // parameter (an optimizer's) stay good: `network = best;` goes back and training can go on.
    // Only where shapes differ does it become a new leaf, which old handles do not see.
    Parameter& operator=(const Parameter& other);
    Parameter& operator=(Parameter&& other);

    bool is_set() const { return set_; }
    // From now on this is `other`, which may be any variable: see replace_parameters (module.h).
    void become(const Variable& other);

  private:
    void assign(const Parameter& other);

    bool set_ = false;
};

// A parameter by the name it has in a network ("0.weight"), as optimizers take it. Variables
// without a name will do: SGD optimizer({W, b}, {.lr = 0.1});
struct NamedParameter {
    NamedParameter(const Variable& variable) : parameter(variable) {}
    NamedParameter(const std::string& its_name, const Variable& variable)
        : name(its_name), parameter(variable) {}

    std::string name;
    Variable parameter;
};

}  // namespace HEED_PRECISION
}  // namespace heed
