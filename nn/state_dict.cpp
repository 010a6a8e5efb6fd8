#include "state_dict.h"

#include "../autograd/node.h"
#include "../tensor/errors.h"
#include "../tensor/ops/compare.h"
#include "../tensor/quote.h"
#include "../tensor/runtime/parallel.h"
#include "../tensor/views.h"
#include "problems.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
bool is_among(const std::string& name, const std::vector<ParameterMember>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&name](const ParameterMember& one) { return one.name == name; });
}

// Is the parameter in the state under any of its names?
bool is_given(const ParameterMember& one, const std::vector<ParameterMember>& list,
              const StateDict& state) {
    return std::any_of(list.begin(), list.end(), [&](const ParameterMember& other) {
        return other.parameter->node() == one.parameter->node() && state.contains(other.name);
    });
}

std::string missing(const std::vector<ParameterMember>& list, const StateDict& state) {
    Problems problems;
    for (const ParameterMember& one : list) {
        if (!is_given(one, list, state)) problems.add("missing: '", one.name, "'");
    }
    return problems.text("are missing");
}

std::string different_values(const std::vector<ParameterMember>& list, const StateDict& state) {
    Problems problems;
    for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (list[j].parameter->node() != list[i].parameter->node()) continue;
            if (!state.contains(list[i].name) || !state.contains(list[j].name)) continue;
            if (tensor::same_bits(state.at(list[i].name), state.at(list[j].name))) continue;
            problems.add("different values: '", list[j].name, "' and '", list[i].name,
                         "' are one parameter in the network");
        }
    }
    return problems.text("have different values");
}

// How many letters must be inserted, removed or replaced to make `a` of `b` (Levenshtein 1966).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row[b.size()];
}

// The names that the state lacks.
std::vector<std::string> not_given(const std::vector<ParameterMember>& list,
                                   const StateDict& state) {
    std::vector<std::string> names;
    for (const ParameterMember& one : list) {
        if (!is_given(one, list, state)) names.push_back(one.name);
    }
    return names;
}

std::string unexpected(const std::vector<ParameterMember>& list, const StateDict& state) {
    const std::vector<std::string> free = not_given(list, state);
    Problems problems;
    for (const StateDict::Entry& entry : state) {
        if (is_among(entry.name, list)) continue;
        const std::string probably = problems.only_counts() ? "" : nearest_name(entry.name, free);
        problems.add("not expected: '", printable(entry.name), "'",
                     probably.empty() ? "" : "; did you mean '" + probably + "'?");
    }
    return problems.text("are not expected");
}

std::string not_numbers(const StateDict& state) {
    Problems problems;
    for (const StateDict::Entry& entry : state) {
        if (!has_nan(entry.value)) continue;
        problems.add("NaN: '", printable(entry.name), "' holds entries that are not numbers");
    }
    return problems.text("hold NaN");
}

std::string wrong_shapes(const std::vector<ParameterMember>& list, const StateDict& state) {
    Problems problems;
    for (const ParameterMember& one : list) {
        if (!state.contains(one.name)) continue;
        const Shape given = state.at(one.name).shape();
        if (given == one.parameter->shape()) continue;
        problems.add("wrong shape: '", one.name, "' is ", given, " in the state, but ",
                     one.parameter->shape(), " in the network");
    }
    return problems.text("have a wrong shape");
}

// Lets every layer of the tree translate the foreign names it knows into ours.
std::string adopt_names(const Member& member, const std::string& prefix, StateDict& state) {
    std::string problems;
    if (member.module) problems += member.module->adopt(state, prefix);
    for (const Member& inner : member.members) {
        problems += adopt_names(inner, prefix + inner.name + ".", state);
    }
    return problems;
}

}  // namespace

bool has_nan(const Tensor& x) {
    const Tensor entries = tensor::contiguous(x);
    std::atomic<bool> found = false;
    parallel_for(entries.numel(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
        bool any = false;
        for (const Scalar* entry = entries.data() + begin; entry < entries.data() + end; ++entry) {
            any |= *entry != *entry;
        }
        if (any) found = true;
    });
    return found;
}

std::string nearest_name(const std::string& wrong, const std::vector<std::string>& candidates) {
    constexpr std::size_t longest = 200;
    std::string nearest;
    std::size_t least = wrong.size() / 3 + 1;
    for (const std::string& one : candidates) {
        if (std::max(one.size(), wrong.size()) > longest) continue;
        const std::size_t its = distance(one, wrong);
        if (its < least) {
            least = its;
            nearest = one;
        }
    }
    return nearest;
}

const StateDict::Entry* StateDict::find(const std::string& name) const {
    const auto place = place_.find(name);
    return place == place_.end() ? nullptr : &entries_[place->second];
}

bool StateDict::contains(const std::string& name) const { return find(name) != nullptr; }

void StateDict::add(const std::string& name, const Tensor& value, CallSite site) {
    add_shared(name, tensor::clone(value), site);
}

void StateDict::add_shared(const std::string& name, const Tensor& value, CallSite site) {
    if (contains(name)) {
        fail_argument("StateDict", site, "'", name,
                      "' is already in the state; each name is for one tensor");
    }
    place_[name] = entries_.size();
    entries_.push_back({name, value});
}

const Tensor& StateDict::at(const std::string& name, CallSite site) const {
    const Entry* entry = find(name);
    if (entry) return entry->value;
    std::string names;
    for (const Entry& known : entries_) names += (names.empty() ? "'" : ", '") + known.name + "'";
    if (names.empty()) names = "none";
    fail_range("StateDict", site, "there is no '", name, "'; the names are: ", names);
}

Tensor StateDict::take(const std::string& name, CallSite site) {
    const Tensor value = at(name, site);
    const std::size_t removed = place_.at(name);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(removed));
    place_.erase(name);
    for (auto& [other, place] : place_) place -= place > removed ? 1 : 0;
    return value;
}

std::string given_twice(const std::string& theirs, const std::string& ours) {
    return text("\n  given twice: '", theirs, "' is another name for '", ours,
                "', which is also given");
}

std::string rename(StateDict& state, const std::string& theirs, const std::string& ours) {
    if (!state.contains(theirs)) return "";
    if (state.contains(ours)) return given_twice(theirs, ours);
    state.add_shared(ours, state.take(theirs));
    return "";
}

StateDict state_dict(const ConstLayerRef& layer, CallSite site) {
    StateDict state;
    for (const ParameterMember& one : parameter_members(complete_member_tree(layer, site))) {
        state.add(one.name, one.parameter->value(), site);
    }
    return state;
}

void give_values(const std::vector<ParameterMember>& parameters,
                 const std::map<std::string, Tensor>& values) {
    std::map<std::shared_ptr<Node>, Variable> given;  // by the node that was there before
    for (const ParameterMember& one : parameters) {
        const auto value = values.find(one.name);
        if (value == values.end() || given.contains(one.parameter->node())) continue;
        Variable its(value->second, requires_grad);
        its.set_name(one.parameter->node()->name);
        given.emplace(one.parameter->node(), its);
    }
    for (const ParameterMember& one : parameters) {
        const auto its = given.find(one.parameter->node());
        if (its != given.end()) one.parameter->become(its->second);
    }
}

std::function<void()> checked_load(const Member& tree, const StateDict& given, const CallSite& site,
                                   const StateSource& source) {
    check_members(tree, site);
    const std::vector<ParameterMember> list = parameter_members(tree);
    StateDict state = given;
    std::string problems = adopt_names(tree, "", state);
    if (problems.empty()) {
        problems = missing(list, state) + unexpected(list, state) + wrong_shapes(list, state) +
                   different_values(list, state);
        if (source.refuses_nan) problems += not_numbers(state);
    }
    if (!problems.empty()) {
        fail_argument(source.operation, site, source.name, " does not fit the ",
                      type_name(*tree.module), ", and nothing was loaded", problems);
    }
    return [list, state, site, is_file = source.is_file] {
        std::map<std::string, Tensor> values;
        for (const ParameterMember& one : list) {
            if (!state.contains(one.name)) continue;  // it is tied to one that the state contains
            const Tensor& given = state.at(one.name);
            if (!one.parameter->has_values()) {
                values.emplace(one.name, is_file ? given : tensor::clone(given));
                continue;
            }
            Tensor numbers = one.parameter->value();
            tensor::overwrite(numbers, given, site);
        }
        give_values(list, values);
    };
}

void load_into(const Member& tree, const StateDict& state, const CallSite& site,
               const StateSource& source) {
    checked_load(tree, state, site, source)();
}

void load_state_dict(const LayerRef& layer, const StateDict& state, CallSite site) {
    load_into(member_tree(layer, site), state, site);
}

}}  // namespace heed
