#include "heed/autograd/node.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {
using Nodes = std::vector<std::shared_ptr<Node>, memory::Allocator<std::shared_ptr<Node>>>;

thread_local Nodes* to_release = nullptr;

void move_inputs(Node& from, Nodes& to) {
    for (Edge& edge : from.inputs) {
        if (edge.node) to.push_back(std::move(edge.node));
    }
}
}  // namespace

Node::Node(const Shape& of_value, std::unique_ptr<Operation> made_by, const CallSite& at,
           std::shared_ptr<const ScopeFrame> in)
    : operation(std::move(made_by)), shape(of_value), site(at), scope(std::move(in)),
      operation_name(operation->name()) {}

// A chain of a million nodes must not be destroyed by a million nested destructors: the first
// destructor creates a list, those it triggers move their inputs there, and the first empties it.
Node::~Node() {
    if (to_release) {
        move_inputs(*this, *to_release);
        operation.reset();  // the inputs it saved are still held by the list
        return;
    }
    Nodes nodes;
    to_release = &nodes;
    move_inputs(*this, nodes);
    operation.reset();
    while (!nodes.empty()) {
        const std::shared_ptr<Node> node = std::move(nodes.back());
        nodes.pop_back();
    }
    to_release = nullptr;
}

std::string Node::description() const {
    const std::string label = name.empty() ? operation_name : name;
    return site.line > 0 ? label + " at " + site.text() : label;
}

}  // namespace HEED_PRECISION
}  // namespace heed
