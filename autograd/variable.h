// Variable: a tensor and the graph node that records how it was computed.
// Operations on variables (autograd/ops.h, namespace heed) compute on the tensors and record
// themselves as nodes of a graph; backward() walks that graph.
#pragma once

#include "../tensor/tensor.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {

class Node;
class Variable;
struct RegisteredHook;

// Variable W(value, requires_grad).
enum class RequiresGrad { no, yes };  // what is not no is yes
inline constexpr RequiresGrad requires_grad = RequiresGrad::yes;

// Returned by register_hook; removes that hook.
class HookHandle {
  public:
    HookHandle(std::weak_ptr<Node> node, std::weak_ptr<RegisteredHook> hook)
        : node_(std::move(node)), hook_(std::move(hook)) {}
    void remove();  // may be called twice, and after the graph is gone

  private:
    std::weak_ptr<Node> node_;
    std::weak_ptr<RegisteredHook> hook_;
};

// The upstream gradient dL/d(output) for backward() and grad(): a tensor or a variable.
class Upstream {
  public:
    Upstream(const Tensor& gradient) : value_(gradient) {}
    Upstream(const Variable& gradient);
    Variable variable() const;

  private:
    Tensor value_;
    std::shared_ptr<Node> node_;  // of a variable: grad() with create_graph records its use
};

struct BackwardOptions {
    bool retain_graph = false;  // keep the graph for another backward
    std::optional<Upstream> upstream =
        {};  // dL/d(this); required unless this has exactly one entry
};

// A handle: copies share the value and the node of the graph. Several threads may use copies of one
// variable; README.md says what they may do at once.
// Without a node it is a constant. The node of a leaf never has an operation, and backward()
// accumulates the leaf's gradient; any other node has the operation that computed the value, until
// the graph is freed.
class Variable {
  public:
    Variable() = default;  // an empty constant
    Variable(const Variable&) = default;
    Variable(Variable&&) noexcept = default;
    Variable& operator=(const Variable&) & = default;
    Variable& operator=(Variable&&) & noexcept = default;
    explicit Variable(const Tensor& value) : value_(value) {}  // a constant
    explicit Variable(Tensor&& value) : value_(std::move(value)) {}
    Variable(const Tensor& value, RequiresGrad recorded);
    template <class Flag>
    requires std::is_arithmetic_v<Flag> Variable(const Tensor&, Flag) {
        static_assert(always_false<Flag>,
                      "heed: for Variable(value, true) write "
                      "Variable(value, requires_grad), for false Variable(value)");
    }
    // For autograd itself: a value computed by the operation in `node`.
    Variable(Tensor value, std::shared_ptr<Node> node)
        : value_(std::move(value)), node_(std::move(node)) {}

    const Tensor& value() const { return value_; }
    const Shape& shape() const { return value_.shape(); }
    int rank() const { return value_.rank(); }
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const {
        return value_.dim(axis, site);
    }
    std::int64_t numel() const { return value_.numel(); }
    Scalar item(CallSite site = CallSite::here()) const { return value_.item(site); }
    // One entry, with the errors of Tensor::at.
    template <WholeNumber... Index>
    Scalar operator()(FirstIndex first, Index... rest) const {
        return value_(first, rest...);
    }
    Scalar operator()() const { return value_(); }
    // x[i] is select(x, 0, i), recorded. Errors: rank 0, i out of range (out_of_range).
    Variable operator[](const FirstIndex& i) const;
    template <class Value>
    void operator=(const Value&) && {
        static_assert(always_false<Value>,
                      "heed: for x[i] = y, since no variable is ever overwritten, "
                      "make a new one: where(), masked_fill() or concatenate()");
    }

    bool requires_grad() const;  // are gradients with respect to it recorded?
    bool is_leaf() const;        // a constant, or a leaf of the graph
    // Freezes a leaf (false) or unfreezes it. Error: this is a constant, or the result of an
    // operation (std::runtime_error).
    void set_requires_grad(bool required, CallSite site = CallSite::here());
    Variable detach() const { return Variable(value_); }  // the same value, as a constant

    // Adds dL/d(leaf) to the .grad of every leaf that requires grad and that this depends on, where
    // dL/d(this) is the upstream gradient. Threads may do so at once: each gradient is added whole,
    // in the order in which the passes end. Errors (std::runtime_error): nothing was recorded; the
    // graph was freed by an earlier backward, or another pass is running over it and one of them
    // frees it; a hook that calls this again endlessly; a saved value was overwritten. ShapeError:
    // no upstream gradient for a value without exactly one entry, or one of another shape.
    void backward(const BackwardOptions& options = {}, CallSite site = CallSite::here()) const;

    // The gradient accumulated by backward(). Error: there is none (std::runtime_error).
    const Tensor& grad(CallSite site = CallSite::here()) const;
    bool has_grad() const;
    void zero_grad();  // clears the gradient
    void set_grad(const Tensor& grad,
                  CallSite site = CallSite::here());  // ShapeError: another shape
    // Makes backward() keep the gradient of this too, although it is not a leaf. No effect on a
    // leaf: a frozen one gets no gradient.
    void retain_grad(CallSite site = CallSite::here());

    // `hook` is called with each complete gradient of this variable; the gradient it returns
    // replaces it. Hooks are called in the order they were registered. One that an earlier hook
    // removes is no longer called, not even for this gradient; one that a hook registers is first
    // called for the next gradient. Errors: this is a constant (std::runtime_error); an empty
    // std::function (std::invalid_argument).
    using Hook = std::function<Variable(const Variable& grad)>;
    HookHandle register_hook(Hook hook, CallSite site = CallSite::here());

    // A name for graphs and messages. Error: this is a constant (std::runtime_error).
    void set_name(const std::string& name, CallSite site = CallSite::here());

    const std::shared_ptr<Node>& node() const { return node_; }

  private:
    Node& recorded_node(const char* operation, const CallSite& site) const;

    Tensor value_;
    std::shared_ptr<Node> node_;
};

inline Upstream::Upstream(const Variable& gradient)
    : value_(gradient.value()), node_(gradient.node()) {}
inline Variable Upstream::variable() const { return Variable(value_, node_); }

// Prints the value like a Tensor, then the operation it comes from, or the kind of leaf.
std::ostream& operator<<(std::ostream& out, const Variable& x);

}}  // namespace heed
