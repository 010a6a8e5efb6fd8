// Listens to a backward pass for explain(): which uses of a variable gave what to one of its
// entries, and of which terms that is made up.
#pragma once

#include "heed/autograd/inspect/explain.h"
#include "heed/autograd/inspect/kept.h"
#include "heed/autograd/observer.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

class ContributionsTo final : public Observer {
  public:
    // `repeated`: the pass that is walked again, with what hooks made of gradients then. None: as
    // if there were no hooks.
    ContributionsTo(const Node& node, std::int64_t entry, const KeptPass* repeated)
        : node_(node), entry_(entry), repeated_(repeated) {}

    // The variable is the pass's output itself: it has the upstream gradient from the start.
    void begin_with(const Tensor& upstream, const CallSite& site);
    void received(const Node& by, int input, const Variable& gradient, const Variable& G) override;
    bool replays_hooks(const Node& node, Variable& gradient) override;

    // Added from the left, as the engine does.
    Scalar sum() const;
    std::vector<ExplainedPart> with_terms(std::int64_t most) const;

  private:
    struct Use {
        const Node* by;  // none: the output itself
        int input;
        Tensor G;
        ExplainedPart contribution;
    };

    const Node& node_;
    std::int64_t entry_;
    const KeptPass* repeated_;
    std::vector<Use> uses_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
