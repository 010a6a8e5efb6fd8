#include "forward_hook.h"

#include "../tensor/errors.h"
#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

thread_local ForwardHook* ForwardHook::innermost_ = nullptr;

ForwardHook::ForwardHook(const ConstLayerRef& network, const Function& function, CallSite site)
    : function_(function), outer_(innermost_) {
    if (!function_) fail_argument("ForwardHook", site, "the function is empty; give one to call");
    for (const LayerMember& layer : layer_members(complete_member_tree(network, site))) {
        names_.emplace(layer.module, layer.name);
    }
    innermost_ = this;
}

// Searches the list, since hooks on the heap may end in any order.
ForwardHook::~ForwardHook() {
    ForwardHook** link = &innermost_;
    while (*link && *link != this) link = &(*link)->outer_;
    if (*link) *link = outer_;
}

void ForwardHook::notify(const Module& layer, const LayerInputs& inputs, const Variable& output) {
    for (const ForwardHook* hook = innermost_; hook; hook = hook->outer_) {
        const auto named = hook->names_.find(&layer);
        if (named == hook->names_.end()) continue;
        LayerCall call{named->second, type_name(layer), {}, output};
        for (const Variable* input : {inputs.first, inputs.second, inputs.third}) {
            if (input) call.inputs.push_back(*input);
        }
        hook->function_(call);
    }
}

}}  // namespace heed
