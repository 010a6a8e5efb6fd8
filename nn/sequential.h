// Sequential: a chain of layers, each taking the output of the one before.
#pragma once

#include "../tensor/errors.h"
#include "any.h"

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Whether a const layer maps one variable, and a CallSite, to one variable.
template <class L>
concept UnaryLayer = requires(const L& layer, const Variable& x, CallSite site) {
    { layer(x, site) } -> std::convertible_to<Variable>;
};

// Any such layer, held by value.
class AnyLayer : public Any<Module> {
  public:
    template <std::derived_from<Module> L>
    AnyLayer(const L& layer) : Any(layer), call_(&call<L>) {
        static_assert(std::is_copy_constructible_v<L>,
                      "a layer for Sequential must be copyable: Sequential holds a copy");
        static_assert(UnaryLayer<L>,
                      "a layer for Sequential must have this call operator, const included: "
                      "Variable operator()(const Variable& x, "
                      "CallSite site = CallSite::here()) const");
    }
    // Error of all below: this AnyLayer, or the other, was moved from and holds no layer
    // (std::logic_error).
    AnyLayer(const AnyLayer& other) : Any(other), call_(other.call_) { module(); }
    AnyLayer(AnyLayer&&) noexcept = default;
    AnyLayer& operator=(const AnyLayer& other);
    AnyLayer& operator=(AnyLayer&&) noexcept = default;
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        return call_(module(site), x, site);
    }
    Module& module(CallSite site = CallSite::here()) const;

  private:
    template <class L>
    static Variable call(const Module& layer, const Variable& x, CallSite site) {
        return static_cast<const L&>(layer)(x, site);
    }

    Variable (*call_)(const Module& layer, const Variable& x, CallSite site);
};

// Sequential network{Linear(2, 16, random), Tanh(), Linear(16, 1, random)};
// Use braces: C++ evaluates them from left to right. With parentheses the order of the layers'
// random draws would be up to the compiler, so they do not compile. The layers are copied and named
// "0", "1", ... To copy a network, write `Sequential copy = network;`.
class Sequential : public Module {
  public:
    Sequential() = default;  // the identity; what was moved from is, too
    Sequential(std::initializer_list<AnyLayer> layers) : layers_(layers) {}

    // Error: the layer was moved from (std::logic_error).
    void add(const AnyLayer& layer, CallSite site = CallSite::here()) {
        layer.module(site);
        layers_.push_back(layer);
    }
    std::int64_t size() const { return static_cast<std::int64_t>(layers_.size()); }
    // A layer by its index, to read or modify: network.at<Linear>(0).weight
    // Errors: no such index (std::out_of_range), a layer of another type (std::invalid_argument).
    template <class L>
    L& at(std::int64_t i, CallSite site = CallSite::here()) {
        L* layer = dynamic_cast<L*>(&module(i, site));
        if (!layer) fail_type(i, site);
        return *layer;
    }
    template <class L>
    const L& at(std::int64_t i, CallSite site = CallSite::here()) const {
        return const_cast<Sequential*>(this)->at<L>(i, site);
    }

    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override;

  private:
    Module& module(std::int64_t i, const CallSite& site) const;
    [[noreturn]] void fail_type(std::int64_t i, const CallSite& site) const;

    std::vector<AnyLayer> layers_;
};

}}  // namespace heed
