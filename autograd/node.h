// Node: one node of the graph. It is the only owner of its operation, and owns the edges to its
// inputs.
#pragma once

#include "../tensor/scope.h"
#include "operation.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct Edge;
using Edges = std::vector<Edge, memory::Allocator<Edge>>;

// An edge to an input: the input's node (null for a constant) and its shape. If the input was
// broadcast, its gradient is summed to this shape.
struct Edge {
    Edge(std::shared_ptr<Node> to, const Shape& of_input) : node(std::move(to)), shape(of_input) {}

    std::shared_ptr<Node> node;
    Shape shape;
    Edges released_after;  // used only by ~Node, which must not allocate; otherwise empty
};

class RunningPass;

struct RegisteredHook {
    Variable::Hook call;
    bool removed = false;
};

// Data that an observer attaches to a node (autograd/observer.h).
struct NodeNote {
    virtual ~NodeNote() = default;
};

class Node {
  public:
    explicit Node(const Shape& of_value) : shape(of_value) {}
    Node(const Shape& of_value, std::unique_ptr<Operation> made_by, const CallSite& at,
         std::shared_ptr<const ScopeFrame> in);
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    // Null for a leaf, and once the graph is freed, unless it is kept for explain().
    std::unique_ptr<Operation> operation;
    std::atomic<bool> freed = false;  // a pass without retain_graph has walked it; no other may
    Edges inputs;
    Shape shape;                              // of the value
    CallSite site;                            // the line that called the operation
    std::shared_ptr<const ScopeFrame> scope;  // the layers it was called in
    const char* operation_name = "leaf";      // known even after the operation is freed

    bool is_leaf = false;
    bool requires_grad = true;  // false for a frozen leaf
    bool retains_grad = false;  // backward() keeps its gradient, though it is not a leaf
    std::optional<Tensor> grad;
    std::vector<std::shared_ptr<RegisteredHook>> hooks;
    std::string name;
    std::unique_ptr<NodeNote> note;  // usually null

    // The passes now running over this node (autograd/running_pass.h): the one that is going to
    // free it, if any, and the number of others.
    std::atomic<const RunningPass*> freeing_pass = nullptr;
    std::int32_t other_passes = 0;

    // Scratch space for building a TopologicalOrder (autograd/order.h); meaningless otherwise.
    std::uint64_t visit = 0;
    std::int64_t position = 0;

    // "matmul at 02_autograd.cpp:31"
    std::string description() const;
};

}}  // namespace heed
