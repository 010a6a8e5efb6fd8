#include "eval_mode.h"

namespace heed { inline namespace HEED_PRECISION {

EvalMode::EvalMode(Module& network, CallSite site) : network_(network) {
    collect(member_tree(network, site), "", before_);
    network.eval();
}

EvalMode::~EvalMode() {
    try {
        restore(member_tree(network_), "", before_);
    } catch (...) {
        // Only without memory for the tree: a destructor must not throw, so what is not restored
        // stays in evaluation mode.
    }
}

void EvalMode::collect(const Member& tree, const std::string& name, Modes& modes) {
    if (tree.module) modes[name] = tree.module->training();
    for (const Member& inner : tree.members) collect(inner, name + "." + inner.name, modes);
}

// train() reaches all layers inside a layer too, which are set to their own mode after it.
void EvalMode::restore(const Member& tree, const std::string& name, const Modes& modes) {
    const Modes::const_iterator mode = modes.find(name);
    if (tree.module && mode != modes.end()) tree.module->train(mode->second);
    for (const Member& inner : tree.members) restore(inner, name + "." + inner.name, modes);
}

}}  // namespace heed
