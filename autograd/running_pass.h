// RunningPass: which backward passes run over which nodes, so that none walks nodes another frees.
//
// Any number of threads may run passes at once. But no other pass may run over nodes that one is
// going to free: passes over one graph at the same time must all have retain_graph.
#pragma once

#include "../tensor/call_site.h"
#include "order.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// For its lifetime, the nodes whose derivatives a pass computes are marked. Only passes that free
// nothing may begin inside one that frees, from a hook or a derivative, since it waits for them.
// Errors (std::runtime_error): another pass is in the way; 50 passes are nested in this thread,
// each begun by the one before. Nothing is marked then.
class RunningPass {
  public:
    RunningPass(const TopologicalOrder& order, const std::vector<bool>& derived, bool retain_graph,
                const CallSite& site);
    ~RunningPass();
    RunningPass(const RunningPass&) = delete;
    RunningPass& operator=(const RunningPass&) = delete;

    // Marks `node` as freed and removes the pass's own mark: the pass is done with it.
    void free(Node& node);

  private:
    bool walks(std::int64_t position) const { return derived_[static_cast<std::size_t>(position)]; }
    bool conflicts_with_another(const Node& node) const;
    void mark();
    void unmark(std::int64_t end);

    const TopologicalOrder& order_;
    const std::vector<bool>& derived_;
    bool retain_graph_;
    CallSite site_;
    const void* thread_;
    std::int64_t marked_ = 0;
};

}}  // namespace heed
