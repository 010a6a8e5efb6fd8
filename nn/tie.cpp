#include "tie.h"

#include "../autograd/node.h"
#include "../tensor/errors.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::atomic<bool> ever_tied = false;  // most programs tie nothing, and copies then cost nothing

// A place where a copy is expected. `known` is set once something else was made there, such as a
// member that is assigned to later.
struct Place {
    bool elsewhere = false;  // outside the bytes of the layer: never known
    const Parameter* known = nullptr;
};

struct Copying {
    const Module* source;
    const Module* copy;
    std::map<const Parameter*, Place> awaited;         // tied parameters not copied yet
    std::map<std::shared_ptr<Node>, Variable> copies;  // by the node of the source
    Copying* outer;

    // Whether `candidate` is the expected copy of `parameter`.
    bool awaits(const Parameter& parameter, const Parameter& candidate) const {
        const auto found = awaited.find(&parameter);
        if (found == awaited.end()) return false;
        return !found->second.known || found->second.known == &candidate;
    }
};

// One per thread. It has no destructor, since layers may be static objects, which end later.
thread_local Copying* innermost_copying = nullptr;

// The address in the source at the same offset as `candidate` in the copy.
const Parameter* at_same_place(const Copying& copying, const Parameter& candidate) {
    const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(&candidate) -
                                    reinterpret_cast<std::uintptr_t>(copying.copy);
    const std::uintptr_t source = reinterpret_cast<std::uintptr_t>(copying.source);
    return reinterpret_cast<const Parameter*>(source + distance);
}

void end_those_done() noexcept {
    for (Copying** link = &innermost_copying; *link;) {
        Copying* const copying = *link;
        if (!copying->awaited.empty()) {
            link = &copying->outer;
            continue;
        }
        *link = copying->outer;
        delete copying;
    }
}

// The parameters of a layer by name. Those without a value, never set or moved from, are left out.
std::vector<ParameterMember> set_parameters(const Module& layer) {
    return parameter_members(readable_member_tree(layer, CallSite::here(), Unset::left_out));
}

using Group = std::vector<ParameterMember>;  // tied to each other, in the order of members()

std::vector<Group> tied_groups(const std::vector<ParameterMember>& parameters) {
    std::map<const Node*, std::size_t> positions;
    std::vector<Group> groups;
    for (const ParameterMember& member : parameters) {
        const Node* const node = member.parameter->node().get();
        if (!node) continue;
        const auto [position, is_new] = positions.emplace(node, groups.size());
        if (is_new) groups.emplace_back();
        groups[position->second].push_back(member);
    }
    std::vector<Group> tied;
    for (const Group& group : groups) {
        if (group.size() > 1) tied.push_back(group);
    }
    return tied;
}

Parameter* find(const std::vector<ParameterMember>& parameters, const std::string& name) {
    for (const ParameterMember& member : parameters) {
        if (member.name == name) return member.parameter;
    }
    return nullptr;
}

// Unties parameters that are tied in the target but not in the source.
void untie_others(const std::vector<ParameterMember>& target,
                  const std::vector<ParameterMember>& source) {
    for (const Group& group : tied_groups(target)) {
        const Parameter* first = nullptr;  // in the source
        for (const ParameterMember& member : group) {
            const Parameter* const original = find(source, member.name);
            if (!original) continue;
            if (!first) first = original;
            if (original->node() != first->node()) untie(*member.parameter);
        }
    }
}

}  // namespace

void tie(Parameter& parameter, const Parameter& other, CallSite site) {
    if (!parameter.is_set() || !other.is_set()) {
        fail_argument("tie", site,
                      "one of the parameters was never set; there is nothing to share");
    }
    if (!(parameter.shape() == other.shape())) {
        fail_shape("tie", site, "the parameters have shapes ", parameter.shape(), " and ",
                   other.shape(), "; tied parameters must have the same shape");
    }
    parameter.become(other);
    ever_tied = true;
}

void untie(Parameter& parameter) {
    const bool frozen = !parameter.requires_grad();
    Parameter own(parameter.value(), parameter.node() ? parameter.node()->name : "");
    if (frozen) own.set_requires_grad(false);
    parameter.become(own);
}

void TiedCopies::begin_copy(const Module& source, const Module& copy) {
    if (!ever_tied) return;
    end(source);
    end(copy);
    std::map<const Parameter*, Place> awaited;
    for (const Group& group : tied_groups(set_parameters(source))) {
        for (const ParameterMember& member : group) {
            awaited.emplace(member.parameter, Place{member.elsewhere});
        }
    }
    if (!awaited.empty())
        innermost_copying = new Copying{&source, &copy, awaited, {}, innermost_copying};
}

// The members of the target exist already, so it is known where the copies go.
void TiedCopies::begin_assignment(const Module& source, Module& target) {
    if (!ever_tied || &source == &target) return;
    const std::vector<ParameterMember> targets = set_parameters(target);
    untie_others(targets, set_parameters(source));
    begin_copy(source, target);
    for (const ParameterMember& member : targets) {
        if (!member.elsewhere) made(*member.parameter, false);
    }
}

// Moving a list moves its elements and copies none. So the parameters that are tied in the source
// are first made one with the target's, whose handles stay valid.
void TiedCopies::begin_move(Module& source, Module& target) {
    if (!ever_tied || &source == &target) return;
    end(source);
    end(target);
    const std::vector<ParameterMember> sources = set_parameters(source);
    const std::vector<ParameterMember> targets = set_parameters(target);
    untie_others(targets, sources);
    for (const Group& group : tied_groups(sources)) {
        Parameter* const kept = find(targets, group.front().name);
        const Parameter& original = *group.front().parameter;
        if (kept && kept->node() != original.node()) *kept = original;
        const Variable one = kept ? *kept : original;
        for (const ParameterMember& member : group) {
            member.parameter->become(one);
            Parameter* const in_target = find(targets, member.name);
            if (in_target) in_target->become(one);
        }
    }
}

void TiedCopies::members_visited(const Module& copy) {
    for (Copying* copying = innermost_copying; copying; copying = copying->outer) {
        if (copying->copy != &copy) continue;
        std::erase_if(copying->awaited, [](const auto& entry) { return !entry.second.known; });
    }
    end_those_done();
}

void TiedCopies::end(const Module& source_or_copy) noexcept {
    for (Copying* copying = innermost_copying; copying; copying = copying->outer) {
        const bool is_one = copying->source == &source_or_copy || copying->copy == &source_or_copy;
        if (is_one) copying->awaited.clear();
    }
    end_those_done();
}

std::optional<Variable> TiedCopies::shared_by(const Parameter& copy, const Parameter& source) {
    for (const Copying* copying = innermost_copying; copying; copying = copying->outer) {
        if (!copying->awaits(source, copy)) continue;
        const auto found = copying->copies.find(source.node());
        if (found != copying->copies.end()) return found->second;
    }
    return std::nullopt;
}

void TiedCopies::copied(const Parameter& copy, const Parameter& source, const Variable& variable) {
    for (Copying* copying = innermost_copying; copying; copying = copying->outer) {
        if (!copying->awaits(source, copy)) continue;
        copying->copies.emplace(source.node(), variable);
        copying->awaited.erase(&source);
    }
    made(copy, true);
}

void TiedCopies::made(const Parameter& parameter, bool is_set) noexcept {
    for (Copying* copying = innermost_copying; copying; copying = copying->outer) {
        const auto found = copying->awaited.find(at_same_place(*copying, parameter));
        if (found == copying->awaited.end() || found->second.elsewhere) continue;
        if (is_set) {
            copying->awaited.erase(found);
        } else {
            found->second.known = &parameter;
        }
    }
    end_those_done();
}

}}  // namespace heed
