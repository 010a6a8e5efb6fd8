#include "forward_hook.h"

#include "../tensor/errors.h"
#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {

void name_layers(const Member& member, const std::string& name,
                 std::map<const Module*, std::string>& names) {
    if (member.module) names.emplace(member.module, name);
    for (const Member& inner : member.members) {
        name_layers(inner, name.empty() ? inner.name : name + "." + inner.name, names);
    }
}

}  // namespace

thread_local ForwardHook* ForwardHook::innermost_ = nullptr;

ForwardHook::ForwardHook(const Module& network, const Function& function, CallSite site)
    : function_(function), outer_(innermost_) {
    if (!function_) fail_argument("ForwardHook", site, "the function is empty; give one to call");
    name_layers(readable_member_tree(network, site), "", names_);
    innermost_ = this;
}

// Searched for, since hooks on the heap may end in any order.
ForwardHook::~ForwardHook() {
    ForwardHook** link = &innermost_;
    while (*link && *link != this) link = &(*link)->outer_;
    if (*link) *link = outer_;
}

void ForwardHook::tell_all(const Module& layer, std::initializer_list<const Variable*> inputs,
                           const Variable& output) {
    for (const ForwardHook* hook = innermost_; hook; hook = hook->outer_) {
        const auto named = hook->names_.find(&layer);
        if (named == hook->names_.end()) continue;
        LayerCall call{named->second, type_name(layer), {}, output};
        for (const Variable* input : inputs) call.inputs.push_back(*input);
        hook->function_(call);
    }
}

}}  // namespace heed
