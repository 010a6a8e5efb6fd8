// What a node keeps for explain(): the inputs of its operation, and the backward passes whose
// contributions add up to its gradient.
#pragma once

#include "../../tensor/tensor.h"
#include "../node.h"

#include <memory>
#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// An input of an operation; its version tells whether it was overwritten since.
struct KeptInput {
    Tensor value;
    std::uint64_t version;
};

struct HookedGradient {
    const Node* node;
    Tensor gradient;  // what its hooks returned
};

// One call of backward() whose graph was not freed.
struct KeptPass {
    std::weak_ptr<Node> root;  // root of the graph, which may be gone by now
    Tensor upstream;
    CallSite site;
    std::vector<HookedGradient> hooked;  // used instead of calling hooks again
    bool lives = false;                  // is `root` kept alive?
};

// What one call added to a gradient.
struct Addition {
    std::shared_ptr<const KeptPass> pass;  // null: its graph was freed at once
    Tensor gradient;
};

struct Kept final : NodeNote {
    std::vector<KeptInput> inputs;  // of the node's operation
    std::optional<Tensor> before;   // the gradient before all additions
    std::vector<Addition> additions;
};

// What is kept with a node, or nullptr.
inline const Kept* kept_with(const Node& node) { return static_cast<const Kept*>(node.note.get()); }

}}  // namespace heed
