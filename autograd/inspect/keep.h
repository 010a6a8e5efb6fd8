// KeepGraph: while it lives, graphs stay whole after backward(), with the numbers that each
// operation was given. explain() needs them; ordinary work is quicker and smaller without.
#pragma once

#include "heed/tensor/scalar.h"

namespace heed {
inline namespace HEED_PRECISION {

// KeepGraph keep;   before the computation that is to be explained. In all threads, until the end
// of the block: backward() and grad() free no graph; the last 32 calls of backward() are kept with
// all that led to them, each until zero_grad() has forgotten what it gave, or keep ends.
class KeepGraph {
  public:
    KeepGraph();
    ~KeepGraph();
    KeepGraph(const KeepGraph&) = delete;
    KeepGraph& operator=(const KeepGraph&) = delete;
};

// How many ask for it. A debugger may write a 1 here when the program starts.
extern int keepers_of_graphs;
bool keeping_is_suspended();

inline bool graphs_are_kept() {
    return __atomic_load_n(&keepers_of_graphs, __ATOMIC_RELAXED) > 0 && !keeping_is_suspended();
}

// For as long as it lives, what this thread records is not kept: explain() records, too.
class SuspendKeeping {
  public:
    SuspendKeeping();
    ~SuspendKeeping();
    SuspendKeeping(const SuspendKeeping&) = delete;
    SuspendKeeping& operator=(const SuspendKeeping&) = delete;

  private:
    bool before_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
