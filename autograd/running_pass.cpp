#include "running_pass.h"

#include "../tensor/errors.h"

#include <mutex>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr int most_nested = 50;
thread_local int passes_here = 0;  // its address also identifies the thread

std::mutex marks_mutex;  // guards freeing_pass and other_passes of all nodes

}  // namespace

RunningPass::RunningPass(const TopologicalOrder& order, const std::vector<bool>& derived,
                         bool retain_graph, const CallSite& site)
    : order_(order), derived_(derived), retain_graph_(retain_graph), site_(site),
      thread_(&passes_here) {
    if (passes_here == most_nested) {
        fail_runtime("backward", site, most_nested,
                     " backward passes are nested: a hook or a derivative calls "
                     "backward() or grad() on a graph that calls it again");
    }
    mark();
    ++passes_here;
}

RunningPass::~RunningPass() {
    const std::lock_guard<std::mutex> lock(marks_mutex);
    if (marked_ > 0) unmark(order_.size());
    --passes_here;
}

// Other threads may look at the node meanwhile: one that sees it unmarked must see it freed.
void RunningPass::free(Node& node) {
    node.freed = true;
    node.freeing_pass = nullptr;
    --marked_;
}

void RunningPass::mark() {
    const std::lock_guard<std::mutex> lock(marks_mutex);
    const std::int64_t size = order_.size();
    for (std::int64_t position = 0; position < size; ++position) {
        if (!walks(position)) continue;
        Node& node = order_.node(position);
        if (conflicts_with_another(node)) {
            unmark(position);
            fail_runtime("backward", site_, "another backward pass is running over this graph, at ",
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

bool RunningPass::conflicts_with_another(const Node& node) const {
    const RunningPass* freeing = node.freeing_pass;
    if (!retain_graph_) return freeing || node.other_passes > 0;
    return freeing && freeing->thread_ != thread_;
}

// Unmarks the nodes before `end`.
void RunningPass::unmark(std::int64_t end) {
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

}}  // namespace heed
