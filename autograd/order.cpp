#include "order.h"

#include <algorithm>
#include <mutex>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The marks are stored in the nodes (a hash map would cost more than a small operation does), and
// threads may share leaves: so only one order is built at a time. Walking it needs no marks.
std::mutex order_mutex;
std::uint64_t last_visit = 0;

struct Pending {
    Node* node;
    std::size_t next_input;
};

}  // namespace

TopologicalOrder::TopologicalOrder(Node& root) {
    const std::lock_guard<std::mutex> lock(order_mutex);
    visit_from(root);
    note_inputs();
}

void TopologicalOrder::visit_from(Node& root) {
    const std::uint64_t visit = ++last_visit;
    std::vector<Pending> stack;
    root.visit = visit;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
        Pending& top = stack.back();
        if (top.next_input < top.node->inputs.size()) {
            Node* input = top.node->inputs[top.next_input++].node.get();
            if (input && input->visit != visit) {
                input->visit = visit;
                stack.push_back({input, 0});
            }
        } else {
            top.node->position = static_cast<std::int64_t>(nodes_.size());
            nodes_.push_back(top.node);
            stack.pop_back();
        }
    }
}

void TopologicalOrder::note_inputs() {
    first_input_.reserve(nodes_.size());
    for (const Node* node : nodes_) {
        first_input_.push_back(static_cast<std::int64_t>(input_positions_.size()));
        for (const Edge& edge : node->inputs) {
            input_positions_.push_back(edge.node ? edge.node->position : -1);
        }
    }
}

std::int64_t TopologicalOrder::find(const Node& node) const {
    const std::vector<Node*>::const_iterator found = std::find(nodes_.begin(), nodes_.end(), &node);
    return found == nodes_.end() ? -1 : found - nodes_.begin();
}

std::vector<std::int64_t> TopologicalOrder::find(const std::vector<const Node*>& nodes) const {
    const std::lock_guard<std::mutex> lock(order_mutex);
    const std::uint64_t visit = ++last_visit;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i]->visit = visit;
        nodes_[i]->position = static_cast<std::int64_t>(i);
    }
    std::vector<std::int64_t> positions;
    positions.reserve(nodes.size());
    for (const Node* node : nodes) {
        positions.push_back(node && node->visit == visit ? node->position : -1);
    }
    return positions;
}

}}  // namespace heed
