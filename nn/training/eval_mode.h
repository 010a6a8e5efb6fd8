// Evaluation: a network in evaluation mode, and nothing recorded, for as long as an object lives.
#pragma once

#include "../../autograd/grad_mode.h"
#include "../module.h"

#include <map>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

// EvalMode eval(network);   to the end of the block, network.eval() holds and nothing is recorded
// in this thread. Then, also after an exception, recording and each layer are again what they were,
// so a frozen part that was in evaluation mode stays in it. Layers may be moved meanwhile, since
// they are found again by name, but not the network itself; those added meanwhile stay as they are.
class EvalMode {
  public:
    // Errors: those of member_tree (nn/module.h).
    explicit EvalMode(Module& network, CallSite site = CallSite::here());
    ~EvalMode();
    EvalMode(const EvalMode&) = delete;
    EvalMode& operator=(const EvalMode&) = delete;

  private:
    using Modes = std::map<std::string, bool>;  // by the layer's name: was it training?

    static void collect(const Member& tree, const std::string& name, Modes& modes);
    static void restore(const Member& tree, const std::string& name, const Modes& modes);

    Module& network_;
    Modes before_;
    NoGrad no_grad_;
};

}}  // namespace heed
