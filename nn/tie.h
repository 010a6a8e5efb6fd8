// Weight tying: two parameters of a network that are one, such as the token embedding and the
// output projection of a language model (Press and Wolf 2017; Vaswani et al. 2017, section 3.4).
#pragma once

#include "heed/nn/module.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// Makes `parameter` a second handle to `other`: they have one value, one gradient and one place in
// an optimizer, and count once. Make optimizers after tying. A copy of a network in which both are
// has them tied as well; a copy of one of the layers alone has a parameter of its own.
//     tie(head.weight, tokens.weight);
// Errors: one that was never set (std::invalid_argument), different shapes (ShapeError).
void tie(Parameter& parameter, const Parameter& other, CallSite site = CallSite::here());

// Makes it a parameter of its own again, with the same values and no gradient.
void untie(Parameter& parameter);

// While a layer is copied or assigned: the copies of those of its parameters that are tied.
// C++ copies members one by one, so the first copy of a tied parameter is kept for the others.
class TiedCopies {
  public:
    // Called by Module before its members are copied.
    static void begin(const Module& source);
    // What the copy of `parameter` must share, if another of those it is tied to was copied before.
    static std::optional<Variable> copy_of(const Parameter& parameter);
    static void copied(const Parameter& parameter, const Variable& copy);
};

}  // namespace HEED_PRECISION
}  // namespace heed
