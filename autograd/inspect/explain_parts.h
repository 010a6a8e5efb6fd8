// Observes a backward pass for explain(): what each use of a variable contributes to one of its
// entries, and the terms of each contribution.
#pragma once

#include "../observer.h"
#include "explain.h"
#include "kept.h"

#include <unordered_map>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class ContributionsTo final : public Observer {
  public:
    // `repeated`: the pass that is walked again, with the gradients that hooks returned then. Null:
    // hooks are ignored.
    ContributionsTo(const Node& node, std::int64_t entry, const KeptPass* repeated);

    // For a variable that is the pass's output: it has the upstream gradient from the start.
    void begin_with(const Tensor& upstream, const CallSite& site);
    void received(const Node& by, int input, const Variable& gradient, const Variable& G) override;
    bool replays_hooks(const Node& node, Variable& gradient) override;

    // Added from the left, as the engine does.
    Scalar sum() const;
    std::vector<ExplainedPart> with_terms(std::int64_t most) const;

  private:
    struct Use {
        const Node* by;  // null: the output itself
        int input;
        Tensor G;
        ExplainedPart contribution;
    };

    const Node& node_;
    std::int64_t entry_;
    std::unordered_map<const Node*, Tensor> hooked_;  // what hooks returned; only looked up
    std::vector<Use> uses_;
};

}}  // namespace heed
