#include "eval_mode.h"

namespace heed { inline namespace HEED_PRECISION {

EvalMode::EvalMode(const LayerRef& network, CallSite site) : network_(network.layer) {
    for (const LayerMember& layer : layer_members(complete_member_tree(network, site))) {
        was_training_[layer.name] = layer.module->training();
    }
    network_.eval();
}

// train() also sets all layers inside a layer, which are set to their own mode after it.
EvalMode::~EvalMode() {
    try {
        const std::vector<LayerMember> layers = layer_members(member_tree(network_));
        for (const LayerMember& layer : layers) {  // notes those that were added
            was_training_.emplace(layer.name, layer.module->training());
        }
        for (const LayerMember& layer : layers) layer.module->train(was_training_.at(layer.name));
    } catch (...) {
        // Only if there is no memory for the tree: a destructor must not throw, so layers not
        // restored stay in evaluation mode.
    }
}

}}  // namespace heed
