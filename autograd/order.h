// The topological order of a graph, which the backward pass walks from its end.
#pragma once

#include "node.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// All nodes that `root` depends on, each after its inputs, root last. Depth first from the root,
// inputs in order: so the order depends on the graph's structure alone, not on addresses or on the
// order of creation, and sums of gradients have the same bits everywhere.
class TopologicalOrder {
  public:
    explicit TopologicalOrder(Node& root);

    std::int64_t size() const { return static_cast<std::int64_t>(nodes_.size()); }
    Node& node(std::int64_t position) const { return *nodes_[static_cast<std::size_t>(position)]; }
    const std::vector<Node*>& nodes() const { return nodes_; }
    // The positions of the inputs of the node at `position`; -1 for a constant.
    const std::int64_t* inputs(std::int64_t position) const {
        return input_positions_.data() + first_input_[static_cast<std::size_t>(position)];
    }
    // The position of `node`, or -1 if root does not depend on it.
    std::int64_t find(const Node& node) const;
    // The same for each of many, some of which may be null, in one walk over the order.
    std::vector<std::int64_t> find(const std::vector<const Node*>& nodes) const;

  private:
    void visit_from(Node& root);
    void note_inputs();

    std::vector<Node*> nodes_;
    std::vector<std::int64_t> first_input_;  // where a node's inputs begin in input_positions_
    std::vector<std::int64_t> input_positions_;
};

}}  // namespace heed
