// The common part of all optimizers: parameters, learning rate, and which parameters a step
// updates.
#include "heed/nn/optim/optimizer_checks.h"
#include "heed/nn/optim/optimizers.h"
#include "heed/tensor/errors.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// "parameter 2 ('fc.bias')"
std::string called(const std::vector<NamedParameter>& parameters, std::size_t i) {
    const std::string& name = parameters[i].name;
    return name.empty() ? text("parameter ", i) : text("parameter ", i, " ('", name, "')");
}

void check_parameters(const char* optimizer, const std::vector<NamedParameter>& parameters,
                      const CallSite& site) {
    if (parameters.empty()) {
        fail_argument(optimizer, "the list of parameters is empty; there is nothing to train",
                      site);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i].parameter;
        if (!parameter.node() || !parameter.is_leaf()) {
            fail_argument(optimizer,
                          text(called(parameters, i), " of shape ", parameter.shape(), " is ",
                               parameter.node() ? "made by an operation" : "a constant",
                               "; only a leaf can be trained: Variable(value, requires_grad)"),
                          site);
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (parameters[j].parameter.node() != parameter.node()) continue;
            fail_argument(optimizer,
                          text(called(parameters, i), " is ", called(parameters, j),
                               " again; each would be moved twice a step"),
                          site);
        }
    }
}

}  // namespace

Optimizer::Optimizer(const char* name, const std::vector<NamedParameter>& parameters, double lr,
                     const CallSite& site)
    : name_(name), parameters_(parameters) {
    check_parameters(name, parameters, site);
    set_lr(lr, site);
}

void Optimizer::set_lr(double lr, CallSite site) {
    check_not_negative(name_, "lr", lr, site);
    lr_ = lr;
}

void Optimizer::step() {
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

}  // namespace HEED_PRECISION
}  // namespace heed
