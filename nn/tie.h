// Weight tying: two parameters that share one value, such as the token embedding and the output
// projection of a language model (Press and Wolf 2017; Vaswani et al. 2017, section 3.4).
#pragma once

#include "module.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// Makes `parameter` a second handle to `other`: they have one value, one gradient and one place in
// an optimizer, and count once. Make optimizers after tying. In a copy of a network that contains
// both, they are tied as well; a copy of one of the layers alone has a parameter of its own.
// Assigning or moving a network gives the target the ties of the source, and no others: parameters
// tied only in the target become separate, and the first in the order of members() stays the one
// that an optimizer knows. Assigning one of the tied layers alone writes to both.
//     tie(head.weight, tokens.weight);
// Errors: one that was never set (std::invalid_argument), different shapes (ShapeError).
void tie(Parameter& parameter, const Parameter& other, CallSite site = CallSite::here());

// Makes it a separate parameter again, with the same values and no gradient.
void untie(Parameter& parameter);

// The copies of tied parameters, while a layer is copied or assigned.
// C++ copies members one by one, so the first copy of a tied parameter is kept for the others. It
// does not say when it is done: a copy may throw, or leave a member out. So a kept copy is used
// for
//   - a member only at its place in the copy, once anything was made there, and not after anything
//     else was put there;
//   - an element of a list, or of what a pointer or an optional holds, until members() of the
//     copy is called;
//   - nothing after the source or the copy has ended, or either is copied or assigned again.
// One case cannot be detected: if a user-written copy constructor leaves out a list with a tied
// parameter, or an assignment throws before it reaches one, a copy of that list made next looks
// like the network's own, and is tied to it.
class TiedCopies {
  public:
    // Called by Module, before its members are copied, assigned or moved.
    static void begin_copy(const Module& source, const Module& copy);
    static void begin_assignment(const Module& source, Module& target);
    static void begin_move(Module& source, Module& target);
    static void members_visited(const Module& copy);
    static void end(const Module& source_or_copy) noexcept;

    // Called by Parameter: what `copy` must share, if another parameter tied to its source was
    // copied before; when it was made a copy; when it was made in another way, set or not.
    static std::optional<Variable> shared_by(const Parameter& copy, const Parameter& source);
    static void copied(const Parameter& copy, const Parameter& source, const Variable& variable);
    static void made(const Parameter& parameter, bool is_set) noexcept;
};

}}  // namespace heed
