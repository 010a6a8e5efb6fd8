#include "eval_mode.h"

namespace heed { inline namespace HEED_PRECISION {

EvalMode::EvalMode(Module& network, CallSite site) : network_(network) {
    for (const LayerMember& layer : layer_members(member_tree(network, site))) {
        was_training_[layer.name] = layer.module->training();
    }
    network.eval();
}

// train() also sets all layers inside a layer, which are set to their own mode after it.
EvalMode::~EvalMode() {
    try {
        for (const LayerMember& layer : layer_members(member_tree(network_))) {
            const auto mode = was_training_.find(layer.name);
            if (mode != was_training_.end()) layer.module->train(mode->second);
        }
    } catch (...) {
        // Only if there is no memory for the tree: a destructor must not throw, so layers not
        // restored stay in evaluation mode.
    }
}

}}  // namespace heed
