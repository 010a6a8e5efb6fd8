#include "heed/nn/parameter.h"

#include "heed/autograd/node.h"
#include "heed/tensor/views.h"

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
    Variable copy = leaf(other.value(), other.node() ? other.node()->name : "");
    if (!other.requires_grad()) copy.set_requires_grad(false);
    return copy;
}

}  // namespace

Parameter::Parameter(const Tensor& value, const std::string& name)
    : Variable(leaf(value, name)), set_(true) {}

Parameter::Parameter(const Parameter& other) : Variable(copied(other)), set_(other.set_) {}

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
}

}  // namespace HEED_PRECISION
}  // namespace heed
