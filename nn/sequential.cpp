#include "sequential.h"

#include "../tensor/scope.h"
#include "forward_hook.h"

namespace heed { inline namespace HEED_PRECISION {

AnyLayer& AnyLayer::operator=(const AnyLayer& other) {
    if (this == &other) return *this;
    const bool assigned = held_ && held_->assign(other.held());
    if (!assigned) held_ = other.held().copy();
    return *this;
}

AnyLayer::Holder& AnyLayer::held() const {
    if (!held_) {
        throw std::logic_error("AnyLayer: it holds no layer, since it was moved from" +
                               Scope::trail());
    }
    return *held_;
}

Variable Sequential::operator()(const Variable& x, CallSite site) const {
    const Scope scope("Sequential", site);
    Variable y = x;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const std::string name = "layer " + std::to_string(i);
        const Scope layer_scope(name.c_str(), site);
        y = layers_[i](y, site);
    }
    ForwardHook::called(*this, {&x}, y);
    return y;
}

void Sequential::members(MemberVisitor& visit) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        visit(std::to_string(i), layers_[i].module());
    }
}

Module& Sequential::module(std::int64_t i, const CallSite& site) {
    if (i < 0 || i >= size()) {
        fail_range("Sequential", site, "there is no layer ", i, "; there are ", size(),
                   ", which count from 0");
    }
    return layers_[static_cast<std::size_t>(i)].module();
}

void Sequential::fail_type(std::int64_t i, const CallSite& site) {
    fail_argument("Sequential", site, "layer ", i, " is a ", type_name(module(i, site)),
                  ", not of the type asked for");
}

}}  // namespace heed
