#include "heed/nn/parameter.h"

#include "heed/autograd/node.h"
#include "heed/nn/tie.h"
#include "heed/tensor/views.h"

#include <optional>
#include <utility>

namespace heed {
inline namespace HEED_PRECISION {

namespace {

Variable leaf(const Tensor& value, const std::string& name) {
    Variable made(tensor::clone(value), requires_grad);
    if (!name.empty()) made.set_name(name);
    return made;
}

Variable copied(const Parameter& other) {
    if (!other.is_set()) return Variable();
    if (const std::optional<Variable> shared = TiedCopies::copy_of(other)) return *shared;
    Variable copy = leaf(other.value(), other.node() ? other.node()->name : "");
    if (!other.requires_grad()) copy.set_requires_grad(false);
    TiedCopies::copied(other, copy);
    return copy;
}

}  // namespace

Parameter::Parameter(const Tensor& value, const std::string& name)
    : Variable(leaf(value, name)), Listed(Kind::parameter), set_(true) {}

Parameter::Parameter(const Parameter& other)
    : Variable(copied(other)), Listed(other), set_(other.set_) {}

Parameter::Parameter(Parameter&& other) noexcept
    : Variable(std::move(other)), Listed(other), set_(std::exchange(other.set_, false)) {}

Parameter& Parameter::operator=(const Parameter& other) {
    if (this != &other) assign(other);
    return *this;
}

Parameter& Parameter::operator=(Parameter&& other) {
    if (this != &other) assign(other);
    return *this;
}

void Parameter::become(const Variable& other) {
    Variable::operator=(other);
    set_ = true;
}

void Parameter::assign(const Parameter& other) {
    if (const std::optional<Variable> shared = TiedCopies::copy_of(other)) return become(*shared);
    const bool in_place = node() && is_leaf() && other.is_set() && shape() == other.shape();
    if (!in_place) {
        become(copied(other));
        set_ = other.set_;
        return;
    }
    Tensor numbers = value();
    tensor::overwrite(numbers, tensor::clone(other.value()));
    set_requires_grad(other.requires_grad());
    zero_grad();
    TiedCopies::copied(other, *this);
}

}  // namespace HEED_PRECISION
}  // namespace heed
