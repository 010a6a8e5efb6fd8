#include "heed/nn/tie.h"

#include "heed/autograd/node.h"
#include "heed/tensor/errors.h"

#include <atomic>
#include <map>
#include <set>

namespace heed {
inline namespace HEED_PRECISION {

namespace {

std::atomic<bool> ever_tied = false;  // most programs tie nothing, and copies then cost nothing

struct Copying {
    std::set<const Module*> layers;           // those inside the one being copied
    std::set<const Parameter*> to_be_copied;  // tied, and not copied yet
    std::map<const Node*, Variable> copies;
};

thread_local Copying copying;

void collect_layers(const Member& member, std::set<const Module*>& layers) {
    for (const Member& inner : member.members) {
        if (inner.module) layers.insert(inner.module);
        collect_layers(inner, layers);
    }
}

std::set<const Parameter*> tied_parameters(const Member& tree) {
    std::map<const Node*, std::set<const Parameter*>> handles;
    for (const ParameterMember& one : parameter_members(tree)) {
        handles[one.parameter->node().get()].insert(one.parameter);
    }
    std::set<const Parameter*> tied;
    for (const auto& [node, parameters] : handles) {
        if (node && parameters.size() > 1) tied.insert(parameters.begin(), parameters.end());
    }
    return tied;
}

}  // namespace

void tie(Parameter& parameter, const Parameter& other, CallSite site) {
    if (!parameter.is_set() || !other.is_set()) {
        fail_argument("tie", "one of the parameters was never set; there is nothing to share",
                      site);
    }
    if (!(parameter.shape() == other.shape())) {
        fail_shape("tie",
                   text("the parameters have shapes ", parameter.shape(), " and ", other.shape(),
                        "; they must be equal to be one"),
                   site);
    }
    parameter.become(other);
    ever_tied = true;
}

void untie(Parameter& parameter) {
    const bool frozen = !parameter.requires_grad();
    Parameter own(parameter.value());
    if (frozen) own.set_requires_grad(false);
    parameter.become(own);
}

void TiedCopies::begin(const Module& source) {
    if (!ever_tied || copying.layers.erase(&source) > 0) return;
    const Member tree = readable_member_tree(source);
    const std::set<const Parameter*> tied = tied_parameters(tree);
    if (tied.empty()) return;
    copying = {{}, tied, {}};
    collect_layers(tree, copying.layers);
}

std::optional<Variable> TiedCopies::copy_of(const Parameter& parameter) {
    if (copying.to_be_copied.count(&parameter) == 0) return std::nullopt;
    const auto found = copying.copies.find(parameter.node().get());
    if (found == copying.copies.end()) return std::nullopt;
    const Variable shared = found->second;
    copied(parameter, shared);
    return shared;
}

void TiedCopies::copied(const Parameter& parameter, const Variable& copy) {
    if (copying.to_be_copied.erase(&parameter) == 0) return;
    copying.copies.emplace(parameter.node().get(), copy);
    if (copying.to_be_copied.empty()) copying = {};
}

}  // namespace HEED_PRECISION
}  // namespace heed
