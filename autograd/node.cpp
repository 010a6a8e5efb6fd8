#include "autograd/node.h"

namespace heed::inline HEED_PRECISION {

// A chain of a million nodes must not be destroyed by a million nested destructors: whoever owns
// the last handle takes the edges out first and releases them in a loop.
Node::~Node() {
    std::vector<Edge> pending = std::move(inputs);
    operation.reset();  // what it saved is an input too, still held by `pending`
    while (!pending.empty()) {
        const std::shared_ptr<Node> node = std::move(pending.back().node);
        pending.pop_back();
        if (!node || node.use_count() > 1) continue;
        for (Edge& edge : node->inputs) pending.push_back(std::move(edge));
        node->inputs.clear();
    }
}

std::string Node::description() const {
    const std::string label = name.empty() ? operation_name : name;
    return where.line > 0 ? label + " at " + where.text() : label;
}

}  // namespace heed::inline HEED_PRECISION
