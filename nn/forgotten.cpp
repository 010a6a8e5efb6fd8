// Finds members that the members() of a layer forgets.
#include "../tensor/errors.h"
#include "module.h"

#include <algorithm>
#include <functional>
#include <map>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Living = std::vector<const Listed*>;  // in the order of their addresses

const void* end_of(const Member::Bytes& bytes) {
    return static_cast<const char*>(bytes.start) + bytes.size;
}

bool lies_in(const void* address, const Member::Bytes& bytes) {
    return std::less_equal<>()(bytes.start, address) && std::less<>()(address, end_of(bytes));
}

// The bytes of all parameters and layers below this one.
void collect_visited(const Member& tree, std::vector<Member::Bytes>& visited) {
    for (const Member& member : tree.members) {
        if (member.parameter) visited.push_back({member.parameter, sizeof(Parameter)});
        if (member.module) {
            visited.push_back({dynamic_cast<const void*>(member.module), member.bytes});
        }
        collect_visited(member, visited);
    }
}

std::string description(const Listed& member) {
    if (member.module()) return "a " + type_name(*member.module());
    return text("a Parameter ", member.parameter()->shape());
}

void check_nothing_forgotten(const Member& layer, const Living& living, const CallSite& site) {
    const Member::Bytes own = {dynamic_cast<const void*>(layer.module), layer.bytes};
    std::vector<Member::Bytes> visited = layer.left_out;
    collect_visited(layer, visited);
    const auto first =
        std::lower_bound(living.begin(), living.end(), own.start, std::less<const void*>());
    for (auto at = first; at != living.end() && lies_in(*at, own); ++at) {
        const Listed& member = **at;
        if (member.module() == layer.module) continue;
        if (member.parameter() && !member.parameter()->is_set()) continue;
        const bool known =
            std::any_of(visited.begin(), visited.end(),
                        [&at](const Member::Bytes& bytes) { return lies_in(*at, bytes); });
        if (known) continue;
        fail_argument("members", site, type_name(*layer.module), " has ", description(member),
                      " that its members() does not visit, so it would not be trained, saved or "
                      "switched by eval(): write visit(\"name\", member), or "
                      "visit.leave_out(member) if that is intended");
    }
}

void check_each_layer(const Member& member, const Living& living, const CallSite& site) {
    if (member.module) check_nothing_forgotten(member, living, site);
    for (const Member& inner : member.members) check_each_layer(inner, living, site);
}

void check_draws_differ(const Member& tree, const CallSite& site) {
    std::map<Random::State, LayerMember> drawing;  // the first layer with this state
    for (const LayerMember& layer : layer_members(tree)) {
        if (!layer.module->draws()) continue;
        const Random* const generator = layer.module->generator();
        const auto [first, is_new] = drawing.emplace(generator->state(), layer);
        if (is_new || first->second.module->generator() == generator) continue;  // visited twice
        fail_argument("parameters", site, "'", layer.name,
                      "' would draw the same random numbers as '", first->second.name,
                      "', since it is a copy of it; give each its own: reseed(network, random)");
    }
}

}  // namespace

void check_members(const Member& tree, const CallSite& site) {
    check_each_layer(tree, Listed::all(), site);
    check_draws_differ(tree, site);
}

}}  // namespace heed
