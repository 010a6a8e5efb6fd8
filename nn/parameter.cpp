#include "parameter.h"

#include "../autograd/node.h"
#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "../tensor/views.h"
#include "tie.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
Variable leaf(const Tensor& value, const std::string& name) {
    Variable made(WithoutValues::lives() ? value : tensor::clone(value), requires_grad);
    if (!name.empty()) made.set_name(name);
    return made;
}

// A copy of `other`, for `to`.
Variable copied(const Parameter& to, const Parameter& other) {
    if (!other.is_set()) {
        TiedCopies::made(to, false);
        return Variable();
    }
    const std::optional<Variable> shared = TiedCopies::shared_by(to, other);
    Variable copy = shared ? *shared : leaf(other.value(), other.node() ? other.node()->name : "");
    if (!shared && !other.requires_grad()) copy.set_requires_grad(false);
    TiedCopies::copied(to, other, copy);
    return copy;
}

void check_is_set(const char* layer, const char* name, const Parameter& parameter,
                  const CallSite& site) {
    if (parameter.is_set()) return;
    fail_argument(layer, site, "the parameter '", name,
                  "' is not set; was the layer, or this part of it, moved from?");
}

}  // namespace

Parameter::Parameter() : Listed(Kind::parameter) { TiedCopies::made(*this, false); }

Parameter::Parameter(const Tensor& value, const std::string& name)
    : Variable(leaf(value, name)), Listed(Kind::parameter), set_(true) {
    TiedCopies::made(*this, true);
}

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

Parameter::Parameter(const Parameter& other)
    : Variable(copied(*this, other)), Listed(other), set_(other.set_) {}

Parameter::Parameter(Parameter&& other) noexcept
    : Variable(std::move(other)), Listed(other), set_(std::exchange(other.set_, false)) {
    TiedCopies::made(*this, set_);
}

Parameter& Parameter::operator=(const Parameter& other) {
    if (this != &other) assign(other);
    return *this;
}

Parameter& Parameter::operator=(Parameter&& other) {
    if (this == &other) return *this;
    const bool handed_over = node() && node() == other.node();  // they are tied (nn/tie.h)
    if (set_ && !handed_over) {
        assign(other);
        return *this;
    }
    Variable::operator=(std::move(other));
    set_ = std::exchange(other.set_, false);
    TiedCopies::made(*this, set_);
    return *this;
}

void Parameter::become(const Variable& other) {
    Variable::operator=(other);
    set_ = true;
}

void Parameter::assign(const Parameter& other) {
    const bool is_shared = TiedCopies::shared_by(*this, other).has_value();
    const bool in_place =
        !is_shared && node() && is_leaf() && other.is_set() && shape() == other.shape();
    if (!in_place) {
        become(copied(*this, other));
        set_ = other.set_;
        return;
    }
    Tensor numbers = value();
    tensor::overwrite(numbers, tensor::clone(other.value()));
    set_requires_grad(other.requires_grad());
    zero_grad();
    TiedCopies::copied(*this, other, *this);
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
