#include "autograd/node.h"

namespace heed::inline HEED_PRECISION {

namespace {
thread_local std::vector<Edge>* to_release = nullptr;
}

// A chain of a million nodes must not be destroyed by a million nested destructors: the first node
// to go makes a list, those that go with it put their edges there, and the first empties it.
Node::~Node() {
    std::vector<Edge> edges = std::move(inputs);
    if (to_release) {
        for (Edge& edge : edges) to_release->push_back(std::move(edge));
        operation.reset();  // what it saved is an input too, still held by the list
        return;
    }
    to_release = &edges;
    operation.reset();
    while (!edges.empty()) {
        const std::shared_ptr<Node> node = std::move(edges.back().node);
        edges.pop_back();
    }
    to_release = nullptr;
}

std::string Node::description() const {
    const std::string label = name.empty() ? operation_name : name;
    return where.line > 0 ? label + " at " + where.text() : label;
}

}  // namespace heed::inline HEED_PRECISION
