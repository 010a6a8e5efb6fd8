// The engine: walks the graph from an output to its leaves and passes gradients along the edges.
#pragma once

#include "order.h"
#include "variable.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct PassOptions {
    bool retain_graph = false;  // keep the operations for another pass
    bool create_graph = false;  // record the derivatives, so they can be differentiated
    bool repeat = false;        // for explain(): walk a graph that was freed but kept
    bool nested = false;        // part of a derivative; ends at the requested nodes (grad.h)
};

// One backward pass, in topological order: a node is walked only after every node that uses it,
// when its gradient is complete.
class BackwardPass {
  public:
    BackwardPass(const Variable& output, const PassOptions& options, const CallSite& site);

    void want(const Node& node);  // requests its gradient
    // Requests the gradients of all of them. Returns their positions; -1: the output does not
    // depend on it.
    std::vector<std::int64_t> want(const std::vector<const Node*>& nodes);
    void want_leaves();  // leaves that are not frozen, and results after retain_grad()
    // Errors (std::runtime_error): the graph was freed; another pass is in the way, or passes are
    // nested too deeply (autograd/running_pass.h).
    void run(const Variable& upstream);

    bool frees_graph() const { return !keeps_operations_; }
    const std::shared_ptr<Node>& root() const { return root_; }
    const Variable& upstream() const { return upstream_; }
    const CallSite& site() const { return site_; }
    std::shared_ptr<void> note;  // an observer's data, destroyed with the pass

    std::int64_t size() const { return order_.size(); }
    Node& node(std::int64_t position) const { return order_.node(position); }
    bool wanted(std::int64_t position) const { return wanted_[static_cast<std::size_t>(position)]; }
    // The gradient of a wanted node; empty if none reached it.
    std::optional<Variable>& gradient(std::int64_t position) {
        return gradients_[static_cast<std::size_t>(position)];
    }
    std::optional<Variable>& gradient(const Node& node);

  private:
    friend class FusedGradients;

    void walk(std::int64_t position, RunningPass& running);
    void derive(std::int64_t position, const Variable& G);
    void receive(std::int64_t position, int input, Variable&& gradient, const Variable& G);
    void add_to(std::optional<Variable>& total, Variable&& gradient, const CallSite& site) const;

    void mark_needed();
    void unmark_unreached();
    bool is_needed(std::int64_t position) const {  // false for a constant, at -1
        return position >= 0 && needed_[static_cast<std::size_t>(position)];
    }
    bool is_end(std::int64_t position) const { return nested_ && wanted(position); }
    void call_hooks(Node& node, Variable& gradient);
    bool derive_fused(std::int64_t position, const Variable& G);
    Tensor taken_sum(std::int64_t to, const Shape& shape);
    void check_not_freed(const Node& node) const;
    void check_shape(const Node& node, int input, const Variable& gradient) const;

    TopologicalOrder order_;
    std::shared_ptr<Node> root_;
    bool retain_graph_;
    bool keeps_operations_;  // also true if an observer keeps graphs
    bool create_graph_;
    bool may_be_fused_;
    bool repeat_;
    bool nested_;
    CallSite site_;
    Variable upstream_;
    std::vector<bool> wanted_;   // its gradient was requested
    std::vector<bool> needed_;   // is wanted, or depends on a wanted node
    std::vector<bool> derived_;  // its derivative is computed, if a gradient reaches it
    std::vector<std::optional<Variable>> gradients_;
    std::vector<bool> without_minus_zero_;  // no entry of the gradient so far is -0
    std::optional<Variable> no_gradient_;
};

// The upstream gradient dL/d(output): the given one, or 1 if output has one entry. Errors: see
// grad.h.
Variable upstream_or_one(const Variable& output, const std::optional<Upstream>& upstream,
                         const char* operation, const CallSite& site);

}}  // namespace heed
