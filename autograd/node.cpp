#include "node.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The edges of destroyed nodes: each list's first edge holds the next list, so that a destructor
// allocates nothing: memory may have run out.
thread_local Edges* to_release = nullptr;

void release_later(Edges&& edges) {
    if (edges.empty()) return;
    edges.front().released_after = std::move(*to_release);
    *to_release = std::move(edges);
}
}  // namespace

Node::Node(const Shape& of_value, std::unique_ptr<Operation> made_by, const CallSite& at,
           std::shared_ptr<const ScopeFrame> in)
    : operation(std::move(made_by)), shape(of_value), site(at), scope(std::move(in)),
      operation_name(operation->name()) {}

// A chain of a million nodes must not be destroyed by a million nested destructors: the first
// destructor begins a list, those it triggers leave their edges there, and the first empties it.
Node::~Node() {
    if (to_release) {
        release_later(std::move(inputs));
        operation.reset();  // the inputs it saved are still held by the list
        return;
    }
    Edges pending;
    to_release = &pending;
    release_later(std::move(inputs));
    operation.reset();
    while (!pending.empty()) {
        Edges edges = std::move(pending);
        pending = std::move(edges.front().released_after);
        edges.clear();
    }
    to_release = nullptr;
}

std::string Node::description() const {
    const std::string label = name.empty() ? operation_name : name;
    return site.line > 0 ? label + " at " + site.text() : label;
}

}}  // namespace heed
