// The common part of all optimizers: parameters, learning rate, which parameters a step updates,
// and what is remembered of earlier steps, to resume training.
#include "../../autograd/node.h"
#include "../../tensor/errors.h"
#include "../../tensor/views.h"
#include "../problems.h"
#include "optimizers.h"

#include <cmath>
#include <limits>
#include <set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr double largest = static_cast<double>(std::numeric_limits<Scalar>::max());

// "parameter 2 ('fc.bias')"
std::string called(const std::vector<NamedParameter>& parameters, std::size_t i) {
    const std::string& name = parameters[i].name;
    return name.empty() ? text("parameter ", i) : text("parameter ", i, " ('", name, "')");
}

void check_parameters(const char* optimizer, const std::vector<NamedParameter>& parameters,
                      const CallSite& site) {
    if (parameters.empty()) {
        fail_argument(optimizer, site,
                      "the list of parameters is empty; there is nothing to train");
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i].parameter;
        if (!parameter.node() || !parameter.is_leaf()) {
            fail_argument(optimizer, site, called(parameters, i), " of shape ", parameter.shape(),
                          " is ", parameter.node() ? "made by an operation" : "a constant",
                          "; only a leaf can be trained: Variable(value, requires_grad)");
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (parameters[j].parameter.node() != parameter.node()) continue;
            fail_argument(optimizer, site, called(parameters, i), " is ", called(parameters, j),
                          " again; it would be updated twice in each step");
        }
    }
}

}  // namespace

Optimizer::Optimizer(const char* name, const std::vector<ParameterGroup>& groups, double lr,
                     double weight_decay, const CallSite& site)
    : name_(name) {
    check_not_negative(name, "weight_decay", weight_decay, site);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const ParameterGroup& group = groups[g];
        const Settings settings = {group.lr_factor, group.weight_decay.value_or(weight_decay)};
        check_not_negative(name, text("lr_factor of group ", g), settings.lr_factor, site);
        check_not_negative(name, text("weight_decay of group ", g), settings.weight_decay, site);
        for (const NamedParameter& named : group.parameters) {
            parameters_.push_back(named);
            settings_.push_back(settings);
        }
    }
    check_parameters(name, parameters_, site);
    set_lr(lr, site);
    std::set<const Node*> own;
    for (const NamedParameter& named : parameters_) own.insert(named.parameter.node().get());
    for (const Listed* listed : Listed::all()) {
        const Parameter* parameter = listed->parameter();
        if (parameter && own.count(parameter->node().get()) > 0) listed->make_known();
    }
}

void Optimizer::check_not_negative(const char* optimizer, const std::string& what, double value,
                                   const CallSite& site) {
    if (!(value >= 0 && value < infinity)) {
        fail_argument(optimizer, site, what, " is ", value, "; it must be finite and not negative");
    }
    if (value <= largest) return;
    fail_argument(optimizer, site, what, " is ", value, "; it must be no more than ", largest);
}

void Optimizer::check_product(const char* a, double value_of_a, const char* b, double value_of_b,
                              const CallSite& site) const {
    if (value_of_a * value_of_b <= largest) return;
    fail_argument(name_, site, a, " is ", value_of_a, " and ", b, " is ", value_of_b,
                  "; their product, ", value_of_a * value_of_b, ", must be no more than ", largest);
}

void Optimizer::check_lr(double lr, const CallSite& site) const {
    check_not_negative(name_, "lr", lr, site);
    for (const Settings& settings : settings_) {
        check_product("lr", lr, "lr_factor", settings.lr_factor, site);
        check_product("lr", lr * settings.lr_factor, "weight_decay", settings.weight_decay, site);
    }
}

void Optimizer::set_lr(double lr, CallSite site) {
    check_lr(lr, site);
    lr_ = lr;
}

// After a copy, the gradients go to the copy's parameters and not to these.
void Optimizer::check_any_gradient(const CallSite& site) const {
    for (const NamedParameter& named : parameters_) {
        if (named.parameter.has_grad() && named.parameter.requires_grad()) return;
    }
    fail_runtime(name_, site, "step() would train nothing, since none of its ", parameters_.size(),
                 " parameters has a gradient; call backward() first, and if the network was "
                 "copied after this optimizer was made, make one for the copy");
}

void Optimizer::check_nothing_forgotten(const CallSite& site) const {
    for (const Listed* listed : Listed::all()) {
        const Parameter* parameter = listed->parameter();
        if (!parameter || listed->is_known() || !listed->made_by_this_thread()) continue;
        if (!parameter->is_set() || !parameter->has_grad() || !parameter->requires_grad()) continue;
        fail_runtime(name_, site, "a Parameter ", parameter->shape(),
                     " has a gradient, but no optimizer has it and no members() visits it; visit "
                     "it, or freeze it if it should not change");
    }
}

void Optimizer::step(CallSite site) {
    check_any_gradient(site);
    if (!stepped_) check_nothing_forgotten(site);
    stepped_ = true;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const Variable& parameter = parameters_[i].parameter;
        if (!parameter.has_grad() || !parameter.requires_grad()) continue;
        Tensor w = parameter.value();
        update(i, w, parameter.grad());
    }
}

void Optimizer::zero_grad() {
    for (NamedParameter& named : parameters_) named.parameter.zero_grad();
}

// What each parameter is called in a state, all different.
std::vector<std::string> Optimizer::state_names() const {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const std::string number = std::to_string(i);
        std::string name = parameters_[i].name.empty() ? number : parameters_[i].name;
        while (!taken.insert(name).second) name += "#" + number;
        names.push_back(name);
    }
    return names;
}

StateDict Optimizer::state() const {
    StateDict state;
    const std::vector<std::string> names = state_names();
    const std::vector<Remembered> kinds = remembered_kinds();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const std::vector<Tensor> values = remembered(i);
        for (std::size_t k = 0; k < values.size(); ++k) {
            state.add(names[i] + "." + kinds[k].name, values[k]);
        }
    }
    return state;
}

namespace {
bool is_count(double number) {
    return number >= 0 && __builtin_isfinite(number) && number == std::floor(number);
}

// Of the entries of a moment, the first that is NaN, infinite, or negative where it must not be.
std::optional<Scalar> wrong_entry(const Tensor& moment, bool is_square) {
    const Tensor entries = tensor::contiguous(moment);
    for (std::int64_t i = 0; i < entries.numel(); ++i) {
        const Scalar entry = entries.data()[i];
        if (!__builtin_isfinite(entry) || (is_square && entry < 0)) return entry;
    }
    return std::nullopt;
}

std::string problem_of(const std::string& name, bool is_count_of_steps, bool is_square,
                       const Shape& parameter, const StateDict& state) {
    if (!state.contains(name)) return text("missing: '", name, "'");
    const Tensor& given = state.at(name);
    const Shape expected = is_count_of_steps ? Shape{} : parameter;
    if (!(given.shape() == expected)) {
        return text("wrong shape: '", name, "' is ", given.shape(), " in the state, but ", expected,
                    " here");
    }
    if (is_count_of_steps) {
        if (is_count(static_cast<double>(given.item()))) return "";
        return text("wrong number: '", name, "' is ", given.item(),
                    "; a step count must be a non-negative integer");
    }
    const std::optional<Scalar> wrong = wrong_entry(given, is_square);
    if (!wrong) return "";
    return text("wrong number: '", name, "' has an entry ", *wrong, "; each must be finite",
                is_square ? ", and not negative, since it is a mean of squares" : "");
}

}  // namespace

void Optimizer::set_state(const StateDict& state, CallSite site) {
    checked_state(state, lr_, site)();
}

std::function<void()> Optimizer::checked_state(const StateDict& state, double lr, CallSite site) {
    check_lr(lr, site);
    const std::vector<std::string> names = state_names();
    const std::vector<Remembered> kinds = remembered_kinds();
    std::vector<std::vector<Tensor>> values(parameters_.size());
    Problems problems;
    std::size_t used = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        bool updated_before = false;
        for (const Remembered& kind : kinds) {
            updated_before = updated_before || state.contains(names[i] + "." + kind.name);
        }
        if (!updated_before) continue;
        for (const Remembered& kind : kinds) {
            const std::string full = names[i] + "." + kind.name;
            const std::string problem = problem_of(full, kind.is_count, kind.is_square,
                                                   parameters_[i].parameter.shape(), state);
            if (!problem.empty()) problems.add(problem);
            if (problem.empty()) values[i].push_back(state.at(full));
            used += state.contains(full) ? 1 : 0;
        }
    }
    std::string all = problems.text("do not fit");
    if (used != state.size()) {
        all += text("\n  ", state.size() - used,
                    " names in the state do not belong to this optimizer");
    }
    if (!all.empty()) {
        fail_argument(name_, site, "this state does not fit, and nothing was changed", all);
    }
    return [this, values, lr] {
        for (std::size_t i = 0; i < values.size(); ++i) remember(i, values[i]);
        lr_ = lr;
    };
}

}}  // namespace heed
