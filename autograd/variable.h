// Variable: a value and how it was made.
// Operations on variables (autograd/ops.h, namespace heed) compute on the values with the tensor
// floor and record what they did as a node of a graph; backward() walks that graph.
#pragma once

#include "heed/tensor/tensor.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace heed {
inline namespace HEED_PRECISION {

class Node;
class Variable;

// Variable W(value, requires_grad);
inline constexpr bool requires_grad = true;

// Removes the hook that register_hook returned it for.
class HookHandle {
  public:
    HookHandle(std::weak_ptr<Node> node, std::uint64_t id) : node_(std::move(node)), id_(id) {}
    void remove();  // may be called twice, and after the graph is gone

  private:
    std::weak_ptr<Node> node_;
    std::uint64_t id_;
};

struct BackwardOptions {
    bool retain_graph = false;            // keep what a second backward needs
    std::optional<Tensor> upstream = {};  // dL/d(this); needed unless this holds exactly one number
};

// A handle: copies mean the same value and the same node of the graph.
// Without a node it is a constant; a node without an operation is a leaf, whose gradient
// backward() adds up; any other was made by the operation in its node.
class Variable {
  public:
    Variable() = default;                                      // a constant with no numbers
    explicit Variable(const Tensor& value) : value_(value) {}  // a constant
    explicit Variable(Tensor&& value) : value_(std::move(value)) {}
    Variable(const Tensor& value, bool recorded);
    // Used by autograd itself: a value made by the operation in `node`.
    Variable(const Tensor& value, std::shared_ptr<Node> node)
        : value_(value), node_(std::move(node)) {}

    const Tensor& value() const { return value_; }
    const Shape& shape() const { return value_.shape(); }
    int rank() const { return value_.rank(); }
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const {
        return value_.dim(axis, site);
    }
    std::int64_t numel() const { return value_.numel(); }
    Scalar item(CallSite site = CallSite::here()) const { return value_.item(site); }
    // One entry: as Tensor's, with the errors of Tensor::at.
    template <class... Index>
    Scalar operator()(FirstIndex first, Index... rest) const {
        return value_(first, rest...);
    }
    Scalar operator()() const { return value_(); }

    bool requires_grad() const;  // is a derivative with respect to it recorded?
    bool is_leaf() const;        // made by nobody: a constant, or a leaf of the graph
    // For a leaf only, else an error (std::runtime_error): frozen while false.
    void set_requires_grad(bool required, CallSite site = CallSite::here());
    Variable detach() const { return Variable(value_); }  // the same numbers, as a constant

    // Adds d(this)/d(leaf) to the .grad of every leaf below. Errors (std::runtime_error): nothing
    // was recorded; the graph was freed by an earlier backward; a saved value was overwritten.
    // ShapeError: more than one number and no upstream, or an upstream of another shape.
    void backward(const BackwardOptions& options = {}, CallSite site = CallSite::here()) const;

    // The gradient backward() has added up. Error: there is none (std::runtime_error).
    const Tensor& grad(CallSite site = CallSite::here()) const;
    bool has_grad() const;
    void zero_grad();  // forget it
    void set_grad(const Tensor& grad,
                  CallSite site = CallSite::here());  // ShapeError: another shape
    // Let backward() keep the gradient of this too, though it is no leaf.
    void retain_grad(CallSite site = CallSite::here());

    // `hook` sees each complete gradient of this variable, and what it returns is used in its
    // place. Error: nothing is recorded of this variable (std::runtime_error).
    using Hook = std::function<Variable(const Variable& grad)>;
    HookHandle register_hook(Hook hook, CallSite site = CallSite::here());

    // A name for graphs and messages. Error: a constant (std::runtime_error).
    void set_name(const std::string& name, CallSite site = CallSite::here());

    const std::shared_ptr<Node>& node() const { return node_; }

  private:
    Node& recorded_node(const char* operation, const CallSite& site) const;

    Tensor value_;
    std::shared_ptr<Node> node_;
};

// The value, as a tensor prints, and what made it.
std::ostream& operator<<(std::ostream& out, const Variable& x);

}  // namespace HEED_PRECISION
}  // namespace heed
