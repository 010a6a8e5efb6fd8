// Reading and setting what an optimizer remembers, to resume training.
#include "../../tensor/errors.h"
#include "optimizers.h"

#include <cmath>
#include <set>

namespace heed { inline namespace HEED_PRECISION {

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
    const std::vector<std::string> of_parameters = state_names();
    const std::vector<std::string> names = remembered_names();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const std::vector<Tensor> values = remembered(i);
        for (std::size_t k = 0; k < values.size(); ++k) {
            state.add(of_parameters[i] + "." + names[k], values[k]);
        }
    }
    return state;
}

namespace {

bool is_count(double number) {
    return number >= 0 && __builtin_isfinite(number) && number == std::floor(number);
}

// "step" is a number, the others have the parameter's shape.
std::string problem_of(const std::string& name, const Shape& parameter, const StateDict& state) {
    if (!state.contains(name)) return text("\n  missing: '", name, "'");
    const Shape& given = state.at(name).shape();
    const bool is_step = name.size() > 5 && name.substr(name.size() - 5) == ".step";
    const Shape expected = is_step ? Shape{} : parameter;
    if (!(given == expected)) {
        return text("\n  wrong shape: '", name, "' is ", given, " in the state, ", expected,
                    " here");
    }
    if (is_step && !is_count(static_cast<double>(state.at(name).item()))) {
        return text("\n  wrong number: '", name, "' is ", state.at(name).item(),
                    "; steps are counted, so it must be a whole number from 0 on");
    }
    return "";
}

}  // namespace

void Optimizer::set_state(const StateDict& state, CallSite site) {
    const std::vector<std::string> of_parameters = state_names();
    const std::vector<std::string> names = remembered_names();
    std::vector<std::vector<Tensor>> values(parameters_.size());
    std::string problems;
    std::size_t used = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        bool updated_before = false;
        for (const std::string& name : names) {
            updated_before = updated_before || state.contains(of_parameters[i] + "." + name);
        }
        if (!updated_before) continue;
        for (const std::string& name : names) {
            const std::string full = of_parameters[i] + "." + name;
            const std::string problem = problem_of(full, parameters_[i].parameter.shape(), state);
            problems += problem;
            if (problem.empty()) values[i].push_back(state.at(full));
            used += state.contains(full) ? 1 : 0;
        }
    }
    if (used != state.size()) {
        problems +=
            text("\n  ", state.size() - used, " names of the state are not of this optimizer");
    }
    if (!problems.empty()) {
        fail_argument(name_, site, "this state does not fit, and nothing was changed", problems);
    }
    for (std::size_t i = 0; i < values.size(); ++i) remember(i, values[i]);
}

}}  // namespace heed
