// Observes a backward pass for explain(): what each use of a variable contributes to one of its
// entries, and the terms of each contribution: upstream gradients times local derivatives.
#pragma once

#include "../node.h"
#include "explain.h"
#include "kept.h"
#include "uses.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class ContributionsTo final : public UsesOf {
  public:
    // `repeated`: the pass that is walked again, with the gradients that its hooks returned. Null:
    // hooks are ignored.
    ContributionsTo(const Node& node, std::int64_t entry, const KeptPass* repeated);

    // For a variable that is the pass's output, which has the upstream gradient from the start.
    void begin_with(const Tensor& upstream, const CallSite& site);
    bool replays_hooks(const Node& node, Variable& gradient) override;

    // Added from the left, as the engine does.
    Scalar sum() const;
    std::vector<ExplainedPart> with_terms(std::int64_t most) const;

  private:
    Scalar value_of(const Use& use) const;
    ExplainedPart part_of(const Use& use, std::int64_t most) const;

    std::int64_t entry_;
    std::unordered_map<const Node*, Tensor> hooked_;  // what hooks returned; never iterated
    std::optional<ExplainedPart> upstream_;           // of the output itself
};

// How each entry of an operation's output changes with one entry of one of its inputs.
struct LocalDerivative {
    std::optional<Tensor> of_output;  // ∂y[k]/∂x[entry] for each k, in the shape of y
    std::string remark;               // why it is missing or incomplete, or empty
};

// An operation's gradient is linear in its upstream gradient U: at x[entry] it is
// Σ_k U[k]·∂y[k]/∂x[entry]. So differentiating that with respect to U gives all local derivatives
// in one call. G is the U of that call, and `given` the known gradient at x[entry] for it, which
// the result must reproduce. If the gradient cannot be differentiated, it is computed for each k
// with U[k] = 1 and 0 elsewhere, the largest |G[k]| first, at most `most_calls` times.
LocalDerivative local_derivative(const Node& by, int input, std::int64_t entry, const Tensor& G,
                                 Scalar given, std::int64_t most_calls = 1024);

// The same with one call for each k.
LocalDerivative local_derivative_by_units(const Node& by, int input, std::int64_t entry,
                                          const Tensor& G, std::int64_t most_calls = 1024);

}}  // namespace heed
