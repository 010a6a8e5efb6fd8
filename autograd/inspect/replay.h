// Replay: computes a recorded graph again, forward, with another value at one of its nodes. A
// finite difference needs this when the function itself is not available.
#pragma once

#include "explain.h"
#include "kept.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class Replay {
  public:
    // Both nodes must outlive it. Errors (std::runtime_error): the inputs of an operation between
    // the two were not kept (see KeepGraph), or were overwritten since; or the graph was freed.
    Replay(Node& root, const Node& changed);

    bool reaches_root() const { return reaches_root_; }
    // The value of the root with this value at the changed node.
    Tensor value(const Tensor& of_changed) const;

  private:
    void check(const Node& node) const;

    const Node& changed_;
    bool reaches_root_ = false;
    std::vector<const Node*> between_;  // the nodes that depend on changed_, itself first
    // moved_[i][j]: the position in between_ of input j of between_[i], or `none`.
    std::vector<std::vector<std::size_t>> moved_;
};

// The slope of f = Σ upstream ⊙ root at one entry of the changed node:
//     (f(x + h) - f(x - h))/2h
// h is a power of two near ε^(1/3)·(the size of x), where rounding and truncation errors balance.
// The error is an estimate: rounding, plus truncation judged from the slope at 2h.
MeasuredSlope measured_slope(const Replay& replay, const Tensor& x, std::int64_t entry,
                             const Tensor& upstream);

}}  // namespace heed
