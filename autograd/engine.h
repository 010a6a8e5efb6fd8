// The engine: walks the graph from an output to its inputs and carries gradients along the edges.
#pragma once

#include "heed/autograd/inspect/kept.h"
#include "heed/autograd/order.h"
#include "heed/autograd/variable.h"

#include <optional>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// Is told of each gradient that a node gives to an input, in the order in which they are added up.
class BackwardWatcher {
  public:
    // `given` has the input's shape; `by` got it from G, the gradient of its own output.
    virtual void received(const Node& by, int input, const Variable& given, const Variable& G) = 0;

  protected:
    ~BackwardWatcher() = default;
};

// One backward pass. The gradient of a node is complete when all nodes that use it have been
// walked, which the topological order guarantees.
class BackwardPass {
  public:
    BackwardPass(const Variable& output, bool retain_graph, const CallSite& site);

    void want(const Node& node);  // its gradient is asked for
    void want_leaves();           // all leaves, and what retains its gradient
    void run(const Variable& upstream);

    void watch(BackwardWatcher& watcher) { watcher_ = &watcher; }
    // Walk as that pass did: what hooks made of gradients then is used, and none is called.
    void repeat(const KeptPass& pass) { repeated_ = &pass; }

    bool frees_graph() const { return !retain_graph_; }
    const std::vector<HookedGradient>& hooked() const { return hooked_; }
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
    void repeat_hooks(const Node& node, Variable& gradient) const;
    void derive(std::int64_t position, const Variable& G);
    void receive(std::int64_t position, int input, Variable gradient, const Variable& G);
    static void add_to(std::optional<Variable>& total, Variable&& gradient, const CallSite& site);
    void check_not_freed(const Node& node) const;
    void check_gradient(const Node& node, int input, const Variable& gradient,
                        const Variable& G) const;

    TopologicalOrder order_;
    std::shared_ptr<Node> root_;
    bool retain_graph_;
    bool detect_anomalies_;
    CallSite site_;
    std::vector<bool> wanted_;  // asked for
    std::vector<bool> needed_;  // lies on a way to one that is
    std::vector<std::optional<Variable>> gradients_;
    std::optional<Variable> no_gradient_;
    std::vector<HookedGradient> hooked_;  // noted where the graph is not freed
    BackwardWatcher* watcher_ = nullptr;
    const KeptPass* repeated_ = nullptr;
};

// dL/d(output) where the caller gave none: 1, for a single number. Errors: see grad.h.
Variable upstream_or_one(const Variable& output, const std::optional<Variable>& upstream,
                         const char* operation, const CallSite& site);

}  // namespace HEED_PRECISION
}  // namespace heed
