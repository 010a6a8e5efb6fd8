// UsesOf: observes what each use of one variable contributes to its gradient in a backward pass.
// Used by explain() and gradcheck.
#pragma once

#include "../../tensor/ops/arithmetic.h"
#include "../../tensor/ops/reduce.h"
#include "../../tensor/views.h"
#include "../node.h"
#include "../observer.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// An operation that takes the variable as its input number `input`.
struct Use {
    const Node* by;
    int input;
    Tensor G;         // the gradient of the operation's output
    Tensor gradient;  // what the use contributes, in the variable's shape
};

class UsesOf : public Observer {
  public:
    explicit UsesOf(const Node& node) : node_(node) {}

    const Node& node() const { return node_; }
    // In the order of the pass; contributions of several passes to one use are added up.
    const std::vector<Use>& uses() const { return uses_; }

    void received(const Node& by, int input, const Variable& gradient, const Variable& G) override {
        const Edge& edge = by.inputs[static_cast<std::size_t>(input)];
        if (edge.node.get() != &node_) return;
        const Tensor given = tensor::sum_to(gradient.value(), edge.shape);
        for (Use& use : uses_) {
            if (use.by != &by || use.input != input) continue;
            use.G = use.G + G.value();
            use.gradient = use.gradient + given;
            return;
        }
        uses_.push_back({&by, input, tensor::clone(G.value()), given});
    }

  private:
    const Node& node_;
    std::vector<Use> uses_;
};

}}  // namespace heed
