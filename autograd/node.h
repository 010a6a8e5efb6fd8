// Node: one entry of the graph. It owns its operation, alone, and the edges to its inputs.
#pragma once

#include "heed/autograd/operation.h"
#include "heed/tensor/scope.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// To an input: its node (none for a constant), and its shape, to which a gradient is summed where
// the input was broadcast.
struct Edge {
    Edge(std::shared_ptr<Node> to, const Shape& of_input) : node(std::move(to)), shape(of_input) {}

    std::shared_ptr<Node> node;
    Shape shape;
};

using Edges = std::vector<Edge, memory::Allocator<Edge>>;

struct RegisteredHook {
    std::uint64_t id;
    Variable::Hook call;
};

// What an observer remembers with a node (autograd/observer.h).
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

    std::unique_ptr<Operation> operation;  // none for a leaf, and once the graph is freed
    Edges inputs;
    Shape shape;                              // of the value
    CallSite site;                            // the line that called the operation
    std::shared_ptr<const ScopeFrame> scope;  // the layers it was called in
    const char* operation_name = "leaf";      // known even when the operation is freed

    bool is_leaf = false;
    bool requires_grad = true;  // false for a frozen leaf
    bool retains_grad = false;  // not a leaf, but keep its gradient
    std::optional<Tensor> grad;
    std::vector<RegisteredHook> hooks;
    std::string name;
    std::unique_ptr<NodeNote> note;  // none, as a rule

    // Used while an order is made (autograd/order.h), and meaningless outside.
    std::uint64_t visit = 0;
    std::int64_t position = 0;

    // "matmul at 02_autograd.cpp:31"
    std::string description() const;
};

}  // namespace HEED_PRECISION
}  // namespace heed
