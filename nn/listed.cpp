#include "listed.h"

#include "../tensor/errors.h"
#include "module.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Neither has a destructor, since layers may be static objects, which end in any order.
std::mutex list_mutex;
Listed* newest = nullptr;

// Its address identifies the thread. (std::thread::id would cost each program that includes heed a
// tenth of its compile time.)
thread_local const char this_thread = 0;
thread_local std::int64_t number_ended = 0;

}  // namespace

Listed::Listed(Kind kind) noexcept : kind_(kind), thread_(&this_thread) { link(); }

Listed::Listed(const Listed& other) noexcept
    : kind_(other.kind_), known_(other.known_.load()), thread_(&this_thread) {
    link();
}

void Listed::link() noexcept {
    const std::lock_guard<std::mutex> lock(list_mutex);
    next_ = newest;
    if (next_) next_->before_ = this;
    newest = this;
}

Listed::~Listed() {
    const std::lock_guard<std::mutex> lock(list_mutex);
    (before_ ? before_->next_ : newest) = next_;
    if (next_) next_->before_ = before_;
    ++number_ended;
}

std::vector<const Listed*> Listed::all() {
    std::vector<const Listed*> living;
    {
        const std::lock_guard<std::mutex> lock(list_mutex);
        for (const Listed* one = newest; one; one = one->next_) living.push_back(one);
    }
    std::sort(living.begin(), living.end(), std::less<>());
    return living;
}

std::int64_t Listed::ended_here() { return number_ended; }

bool Listed::made_by_this_thread() const { return thread_ == &this_thread; }

const Module* Listed::module() const {
    return kind_ == Kind::module ? static_cast<const Module*>(this) : nullptr;
}

const Parameter* Listed::parameter() const {
    return kind_ == Kind::parameter ? static_cast<const Parameter*>(this) : nullptr;
}

namespace {
// What follows finds members that the members() of a layer forgets.
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

void check_complete(const Member& tree, const CallSite& site) {
    check_each_layer(tree, Listed::all(), site);
}

void check_members(const Member& tree, const CallSite& site) {
    check_complete(tree, site);
    check_draws_differ(tree, site);
}

}}  // namespace heed
