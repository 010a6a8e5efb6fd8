// Evaluation: a network in evaluation mode, and nothing recorded, while an object lives.
#pragma once

#include "../../autograd/grad_mode.h"
#include "../module.h"

#include <map>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

// EvalMode eval(network);   to the end of the block, network.eval() holds and nothing is recorded
// in this thread. After that, also after an exception, recording and each layer's mode are
// restored, so a frozen part that was in evaluation mode stays in it. Layers may be moved
// meanwhile, since they are found again by name, but the network itself must not be; layers added
// meanwhile stay as they are.
class EvalMode {
  public:
    // Errors: those of count_parameters() (nn/module.h).
    explicit EvalMode(const LayerRef& network, CallSite site = CallSite::here());
    ~EvalMode();
    EvalMode(const EvalMode&) = delete;
    EvalMode& operator=(const EvalMode&) = delete;

  private:
    Module& network_;
    std::map<std::string, bool> was_training_;  // by the layer's name
    NoGrad no_grad_;
};

}}  // namespace heed
