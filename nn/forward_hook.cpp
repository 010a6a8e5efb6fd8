#include "forward_hook.h"

#include "../tensor/errors.h"
#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

thread_local ForwardHook* ForwardHook::innermost_ = nullptr;
thread_local int ForwardHook::paused_ = 0;

namespace {
constexpr int most_nested = 50;

// Counts the calls that are being shown, one inside the other.
class Showing {
  public:
    Showing(const LayerCall& call, const CallSite& site) {
        if (under_way == most_nested) {
            fail_runtime("ForwardHook", site, most_nested, " calls are nested, the last one of a ",
                         call.type, ": a forward hook calls a layer that it is called for");
        }
        ++under_way;
    }
    ~Showing() { --under_way; }
    Showing(const Showing&) = delete;
    Showing& operator=(const Showing&) = delete;

  private:
    inline static thread_local int under_way = 0;
};

}  // namespace

ForwardHook::ForwardHook(const ConstLayerRef& network, const Function& function, CallSite site)
    : shown_(std::make_shared<Shown>(Shown{{}, function, site})) {
    if (!function) fail_argument("ForwardHook", site, "the function is empty; give one to call");
    for (const LayerMember& layer : layer_members(complete_member_tree(network, site))) {
        shown_->names.emplace(layer.module, layer.name);
    }
    outer_ = innermost_;
    innermost_ = this;
}

// Searches the list, since hooks on the heap may end in any order.
ForwardHook::~ForwardHook() {
    shown_->ended = true;
    ForwardHook** link = &innermost_;
    while (*link && *link != this) link = &(*link)->outer_;
    if (*link) *link = outer_;
}

// The functions may end hooks, also their own.
void ForwardHook::notify(const Module& layer, const LayerInputs& inputs, const Variable& output) {
    std::vector<std::shared_ptr<Shown>> hooks;
    for (const ForwardHook* hook = innermost_; hook; hook = hook->outer_) {
        if (hook->shown_->names.count(&layer) > 0) hooks.push_back(hook->shown_);
    }
    for (const std::shared_ptr<Shown>& hook : hooks) {
        if (hook->ended) continue;
        LayerCall call{hook->names.at(&layer), type_name(layer), {}, output};
        for (const Variable* input : {inputs.first, inputs.second, inputs.third}) {
            if (input) call.inputs.push_back(*input);
        }
        const Showing showing(call, hook->site);
        hook->function(call);
    }
}

}}  // namespace heed
