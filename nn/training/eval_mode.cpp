#include "eval_mode.h"

namespace heed { inline namespace HEED_PRECISION {

EvalMode::EvalMode(Module& network, CallSite site) : network_(network) {
    for (const LayerMember& layer : layer_members(member_tree(network, site))) {
        was_training_[layer.name] = layer.module->training();
    }
    network.eval();
}

// train() reaches all layers inside a layer too, which are set to their own mode after it.
EvalMode::~EvalMode() {
    try {
        for (const LayerMember& layer : layer_members(member_tree(network_))) {
            const auto mode = was_training_.find(layer.name);
            if (mode != was_training_.end()) layer.module->train(mode->second);
        }
    } catch (...) {
        // Only without memory for the tree: a destructor must not throw, so what is not restored
        // stays in evaluation mode.
    }
}

}}  // namespace heed
