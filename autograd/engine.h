// The engine: walks the graph from an output to its inputs and carries gradients along the edges.
#pragma once

#include "heed/autograd/order.h"
#include "heed/autograd/variable.h"

#include <optional>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

struct PassOptions {
    bool retain_graph = false;  // keep the operations for a further pass
    bool create_graph = false;  // record the derivatives, so that they can be differentiated
};

// One backward pass. The gradient of a node is complete when all nodes that use it have been
// walked, which the topological order guarantees.
class BackwardPass {
  public:
    BackwardPass(const Variable& output, const PassOptions& options, const CallSite& site);

    void want(const Node& node);  // its gradient is asked for
    void want_leaves();           // all leaves, and what retains its gradient
    void run(const Variable& upstream);

    bool frees_graph() const { return !retain_graph_; }
    const std::shared_ptr<Node>& root() const { return root_; }
    const Variable& upstream() const { return upstream_; }
    const CallSite& site() const { return site_; }
    std::shared_ptr<void> note;  // of an observer, for as long as the pass lives

    std::int64_t size() const { return order_.size(); }
    Node& node(std::int64_t position) const { return order_.node(position); }
    bool wanted(std::int64_t position) const { return wanted_[static_cast<std::size_t>(position)]; }
    // What was found for a node; none where the output does not depend on it.
    std::optional<Variable>& gradient(std::int64_t position) {
        return gradients_[static_cast<std::size_t>(position)];
    }
    std::optional<Variable>& gradient(const Node& node);

  private:
    friend class IncomingGradients;

    void mark_needed();
    void walk(std::int64_t position);
    void call_hooks(Node& node, Variable& gradient);
    void derive(std::int64_t position, const Variable& G);
    void receive(std::int64_t position, int input, Variable gradient, const Variable& G);
    void add_to(std::optional<Variable>& total, Variable&& gradient, const CallSite& site) const;
    void check_not_freed(const Node& node) const;
    void check_shape(const Node& node, int input, const Variable& gradient) const;

    TopologicalOrder order_;
    std::shared_ptr<Node> root_;
    bool retain_graph_;
    bool create_graph_;
    CallSite site_;
    Variable upstream_;
    std::vector<bool> wanted_;  // asked for
    std::vector<bool> needed_;  // lies on a way to one that is
    std::vector<std::optional<Variable>> gradients_;
    std::optional<Variable> no_gradient_;
};

// dL/d(output) where the caller gave none: 1, for a single number. Errors: see grad.h.
Variable upstream_or_one(const Variable& output, const std::optional<Variable>& upstream,
                         const char* operation, const CallSite& site);

}  // namespace HEED_PRECISION
}  // namespace heed
