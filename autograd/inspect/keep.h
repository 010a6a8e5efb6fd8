// KeepGraph: for its lifetime, graphs stay in memory after backward(), with each operation's
// inputs. explain() needs them; ordinary programs are faster and smaller without.
#pragma once

#include "../../tensor/scalar.h"

namespace heed { inline namespace HEED_PRECISION {

// KeepGraph keep;   goes before the computation to explain. In all threads, until the end of the
// block, graphs that backward() and grad() free stay in memory, but for explain() alone: a second
// pass without retain_graph before it is the same error as without KeepGraph. The last 32
// calls of backward() are kept with their graphs, each until zero_grad() has cleared everything it
// added, or keep ends.
class KeepGraph {
  public:
    KeepGraph();
    ~KeepGraph();
    KeepGraph(const KeepGraph&) = delete;
    KeepGraph& operator=(const KeepGraph&) = delete;
};

// The number of live KeepGraphs. A debugger may write a 1 here when the program starts.
extern int graph_keepers;
bool keeping_is_suspended();

inline bool graphs_are_kept() {
    return __atomic_load_n(&graph_keepers, __ATOMIC_RELAXED) > 0 && !keeping_is_suspended();
}

// For its lifetime, operations recorded by this thread are not kept: explain() records some, too.
class SuspendKeeping {
  public:
    SuspendKeeping();
    ~SuspendKeeping();
    SuspendKeeping(const SuspendKeeping&) = delete;
    SuspendKeeping& operator=(const SuspendKeeping&) = delete;

  private:
    bool before_;
};

}}  // namespace heed
