// RunningPass: which backward passes run over which nodes, so that none walks nodes another frees.
//
// Any number of threads may run passes at once. But no other pass may run over nodes that one is
// going to free: passes over one graph at the same time must all have retain_graph.
#pragma once

#include "../tensor/errors.h"
#include "order.h"

#include <mutex>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

inline constexpr int most_nested = 50;
inline thread_local int passes_here = 0;  // its address also identifies the thread
inline std::mutex marks_mutex;            // guards freeing_pass and other_passes of all nodes

// For its lifetime, the nodes that a pass needs are marked. Only passes that free nothing may
// begin inside one that frees, from a hook or a derivative, since it waits for them.
// Errors (std::runtime_error): another pass is in the way; 50 passes are nested in this thread,
// each begun by the one before. Nothing is marked then.
class RunningPass {
  public:
    RunningPass(const TopologicalOrder& order, const std::vector<bool>& needed, bool retain_graph,
                const CallSite& site)
        : order_(order), needed_(needed), retain_graph_(retain_graph), site_(site),
          thread_(&passes_here) {
        if (passes_here == most_nested) {
            fail_runtime("backward", site, most_nested,
                         " backward passes are nested: a hook or a derivative calls "
                         "backward() or grad() on a graph that calls it again");
        }
        mark();
        ++passes_here;
    }

    ~RunningPass() {
        const std::lock_guard<std::mutex> lock(marks_mutex);
        if (marked_ > 0) unmark(order_.size());
        --passes_here;
    }

    RunningPass(const RunningPass&) = delete;
    RunningPass& operator=(const RunningPass&) = delete;

    // Marks `node` as freed and removes the pass's own mark: the pass is done with it.
    // Other threads may look at the node meanwhile: one that sees it unmarked must see it freed.
    void free(Node& node) {
        node.freed = true;
        node.freeing_pass = nullptr;
        --marked_;
    }

  private:
    bool walks(std::int64_t position) const {
        return needed_[static_cast<std::size_t>(position)] && !order_.node(position).is_leaf;
    }

    bool conflicts_with_another(const Node& node) const {
        const RunningPass* freeing = node.freeing_pass;
        if (!retain_graph_) return freeing || node.other_passes > 0;
        return freeing && freeing->thread_ != thread_;
    }

    void mark() {
        const std::lock_guard<std::mutex> lock(marks_mutex);
        const std::int64_t size = order_.size();
        for (std::int64_t position = 0; position < size; ++position) {
            if (!walks(position)) continue;
            Node& node = order_.node(position);
            if (conflicts_with_another(node)) {
                unmark(position);
                fail_runtime(
                    "backward", site_, "another backward pass is running over this graph, at ",
                    node.description(),
                    ", and one of the two would free it; in threads and inside hooks, pass "
                    "{.retain_graph = true} to each, or run one after the other");
            }
            if (retain_graph_) {
                ++node.other_passes;
            } else {
                node.freeing_pass = this;
            }
            ++marked_;
        }
    }

    // Unmarks the nodes before `end`.
    void unmark(std::int64_t end) {
        for (std::int64_t position = 0; position < end; ++position) {
            if (!walks(position)) continue;
            Node& node = order_.node(position);
            if (retain_graph_) {
                --node.other_passes;
            } else if (node.freeing_pass == this) {
                node.freeing_pass = nullptr;
            }
        }
    }

    const TopologicalOrder& order_;
    const std::vector<bool>& needed_;
    bool retain_graph_;
    CallSite site_;
    const void* thread_;
    std::int64_t marked_ = 0;
};

}}  // namespace heed
