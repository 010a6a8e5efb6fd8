#include "parameter.h"

#include "../autograd/node.h"
#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "../tensor/views.h"

#include <algorithm>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
Variable leaf(const Tensor& value, const std::string& name) {
    Variable made(WithoutValues::lives() ? value : tensor::clone(value), requires_grad);
    if (!name.empty()) made.set_name(name);
    return made;
}

// A separate leaf with the same values.
Variable copied(const Parameter& other) {
    if (!other.is_set()) return Variable();
    Variable copy = leaf(other.value(), other.node() ? other.node()->name : "");
    if (!other.requires_grad()) copy.set_requires_grad(false);
    return copy;
}

void check_is_set(const char* layer, const char* name, const Parameter& parameter,
                  const CallSite& site) {
    check_tie(layer, name, parameter, site);
    if (parameter.is_set()) return;
    fail_argument(layer, site, "the parameter '", name,
                  "' is not set; was the layer, or this part of it, moved from?");
}

}  // namespace

Parameter::Parameter() : Listed(Kind::parameter) {}

Parameter::Parameter(const Tensor& value, const std::string& name)
    : Variable(leaf(value, name)), Listed(Kind::parameter), set_(true) {}

Parameter Parameter::unfilled(const Shape& shape, const std::string& name, CallSite site) {
    const Tensor value = WithoutValues::lives() ? tensor::expand(tensor::zeros({}), shape, site)
                                                : Tensor::uninitialized(shape, site);
    Variable made(value, heed::requires_grad);
    made.set_name(name);
    Parameter parameter;
    parameter.become(made);
    return parameter;
}

bool Parameter::has_values() const {
    return !value().storage() || value().storage()->size() >= std::min(numel(), std::int64_t{2});
}

int& WithoutValues::living() {
    thread_local int number = 0;
    return number;
}

Parameter::Parameter(const Parameter& other) : Variable(), Listed(other) { assign(other); }

Parameter::Parameter(Parameter&& other) noexcept
    : Variable(std::move(other)), Listed(other), set_(std::exchange(other.set_, false)),
      tie_(std::exchange(other.tie_, Tie::none)) {}

Parameter& Parameter::operator=(const Parameter& other) {
    if (this != &other) assign(other);
    return *this;
}

Parameter& Parameter::operator=(Parameter&& other) {
    if (this == &other) return *this;
    if (set_ && other.tie_ == Tie::none) {
        assign(other);
        return *this;
    }
    Variable::operator=(std::move(other));
    set_ = std::exchange(other.set_, false);
    tie_ = std::exchange(other.tie_, Tie::none);
    return *this;
}

void Parameter::become(const Variable& other) {
    Variable::operator=(other);
    set_ = true;
}

void Parameter::assign(const Parameter& other) {
    const bool other_is_tied = other.tie_ == Tie::tied || other.is_untied_copy();
    const bool in_place = (tie_ == Tie::tied) == other_is_tied && node() && is_leaf() &&
                          other.is_set() && shape() == other.shape();
    if (in_place) {
        Tensor numbers = value();
        tensor::overwrite(numbers, tensor::clone(other.value()));
        set_requires_grad(other.requires_grad());
        zero_grad();
        return;
    }
    Variable::operator=(other_is_tied ? Variable() : copied(other));
    set_ = other.set_;
    if (other_is_tied) {
        tie_ = Tie::untied_copy;
    } else if (tie_ != Tie::another_is_tied_to_it) {
        tie_ = Tie::none;
    }
}

void tie(Parameter& parameter, Parameter& other, CallSite site) {
    check_tie("tie", "other", other, site);
    if (!parameter.is_set() || !other.is_set()) {
        fail_argument("tie", site,
                      "one of the parameters was never set; there is nothing to share");
    }
    if (!parameter.is_untied_copy() && !(parameter.shape() == other.shape())) {
        fail_shape("tie", site, "the parameters have shapes ", parameter.shape(), " and ",
                   other.shape(), "; tied parameters must have the same shape");
    }
    if (parameter.node() == other.node()) return;
    using Tie = Parameter::Tie;
    parameter.become(other);
    parameter.tie_ = Tie::tied;
    if (other.tie_ == Tie::none) other.tie_ = Tie::another_is_tied_to_it;
}

void untie(Parameter& parameter) {
    parameter.become(copied(parameter));
    parameter.tie_ = Parameter::Tie::none;
}

void check_tie(const char* operation, const std::string& name, const Parameter& parameter,
               const CallSite& site) {
    if (!parameter.is_untied_copy()) return;
    fail_argument(operation, site, "the parameter '", name,
                  "' is a copy of a tied one and has no values: the copy constructor of the "
                  "network must tie() it again; or assign it a Parameter of its own");
}

void check_parameter(const char* layer, const char* name, const Parameter& parameter, int rank,
                     const CallSite& site) {
    check_is_set(layer, name, parameter, site);
    if (parameter.rank() == rank) return;
    fail_shape(layer, site, "the parameter '", name, "' has shape ", parameter.shape(),
               "; its rank must be ", rank);
}

void check_parameter(const char* layer, const char* name, const Parameter& parameter,
                     const Shape& shape, const CallSite& site) {
    check_is_set(layer, name, parameter, site);
    if (parameter.shape() == shape) return;
    fail_shape(layer, site, "the parameter '", name, "' has shape ", parameter.shape(),
               "; to match the other parts it must be ", shape);
}

}}  // namespace heed
