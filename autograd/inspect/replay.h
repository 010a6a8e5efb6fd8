// Replay: a recorded graph computed again, forward, with other numbers at one of its nodes. What a
// finite difference needs, when the function itself is not at hand.
#pragma once

#include "heed/autograd/inspect/kept.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

class Replay {
  public:
    // Both must outlive it. Errors (std::runtime_error): the numbers that an operation between the
    // two was given were not kept (see KeepGraph), or were overwritten since; or its graph is
    // freed.
    Replay(Node& root, const Node& changed);

    bool reaches_root() const { return reaches_root_; }
    // The value of the root with this value at the changed node.
    Tensor value(const Tensor& of_changed) const;

  private:
    void check(const Node& node) const;

    const Node& changed_;
    bool reaches_root_ = false;
    std::vector<const Node*> between_;  // those that depend on it, in order, it first
    std::vector<std::vector<std::size_t>>
        moved_;  // of each, for each input: which of them, or none
};

// The slope of f = Σ upstream ⊙ root at one entry of the changed node:
//     (f(x + h) - f(x - h))/2h
// h is a power of two near ε^(1/3)·(the size of x), where rounding and curvature harm alike.
struct Slope {
    double value = 0;
    double h = 0;
    double error = 0;  // about what to expect: of rounding, and of the curvature that 2h shows
};
Slope measured_slope(const Replay& replay, const Tensor& x, std::int64_t entry,
                     const Tensor& upstream);

}  // namespace HEED_PRECISION
}  // namespace heed
