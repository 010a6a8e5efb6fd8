#include "sequential.h"

#include "../tensor/errors.h"
#include "argument_checks.h"
#include "running.h"

namespace heed { inline namespace HEED_PRECISION {

AnyLayer& AnyLayer::operator=(const AnyLayer& other) {
    other.module();
    Any::operator=(other);
    call_ = other.call_;
    return *this;
}

Module& AnyLayer::module(CallSite site) const {
    if (get()) return *get();
    throw std::logic_error(
        error_text("AnyLayer", "it holds no layer, since it was moved from", site));
}

Variable Sequential::operator()(const Variable& x, CallSite site) const {
    const Running layer(*this, "Sequential", {&x}, site);
    Variable y = x;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const std::string name = "layer " + std::to_string(i);
        const Scope layer_scope(name.c_str(), site);
        y = layers_[i](y, site);
    }
    return layer.gives(y);
}

void Sequential::members(MemberVisitor& visit) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        visit(std::to_string(i), layers_[i]);
    }
}

Module& Sequential::module(std::int64_t i, const CallSite& site) const {
    if (i < 0 || i >= size()) {
        fail_range("Sequential", site, "there is no layer ", i, "; ", numbered(size(), "layers"));
    }
    return layers_[static_cast<std::size_t>(i)].module(site);
}

void Sequential::fail_type(std::int64_t i, const CallSite& site) const {
    fail_argument("Sequential", site, "layer ", i, " is a ", type_name(module(i, site)),
                  ", not of the requested type");
}

}}  // namespace heed
