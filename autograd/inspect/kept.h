// What a node remembers for explain(): the numbers its operation was given, and which backward
// passes its gradient is the sum of.
#pragma once

#include "heed/autograd/node.h"
#include "heed/autograd/record.h"

#include <memory>
#include <optional>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// A number that an operation was given, and whether it was overwritten since.
struct KeptInput {
    Tensor value;
    std::uint64_t version;
};

struct HookedGradient {
    const Node* node;
    Tensor gradient;  // what its hooks made of it
};

// One call of backward() whose graph was not freed.
struct KeptPass {
    std::weak_ptr<Node> root;  // of the graph, which may be gone by now
    Tensor upstream;
    CallSite site;
    std::vector<HookedGradient> hooked;  // so that no hook is called again
};

// What one call added to a gradient.
struct Addition {
    std::shared_ptr<const KeptPass> pass;  // none: its graph was freed at once
    Tensor gradient;
};

struct Kept {
    std::vector<KeptInput> inputs;  // of the node's operation
    std::optional<Tensor> before;   // the gradient that stood there before all additions
    std::vector<Addition> additions;
};

// Called for each recorded operation while graphs are kept.
void keep_inputs(Node& node, const Inputs& inputs);

// Called by backward() when the pass is done and its graph was not freed: while graphs are kept,
// its root lives on.
std::shared_ptr<const KeptPass> remember_pass(const std::shared_ptr<Node>& root,
                                              const Tensor& upstream, const CallSite& site,
                                              std::vector<HookedGradient> hooked);

// Called before `gradient` is added to the node's; `pass` is none where the graph was freed.
void note_addition(Node& node, const Tensor& gradient, const std::shared_ptr<const KeptPass>& pass);
// Called when the gradient is forgotten, or set by hand.
void forget_additions(Node& node);

}  // namespace HEED_PRECISION
}  // namespace heed
