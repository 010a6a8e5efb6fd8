// Sequential: a chain of layers, each taking the output of the one before.
#pragma once

#include "../tensor/errors.h"
#include "module.h"

#include <concepts>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Does a const layer map one variable, and the caller's line, to one variable?
template <class L>
concept UnaryLayer = requires(const L& layer, const Variable& x, CallSite site) {
    { layer(x, site) } -> std::convertible_to<Variable>;
};

// Any such layer, held by value (type erasure).
class AnyLayer {
  public:
    template <std::derived_from<Module> L>
    AnyLayer(const L& layer) : held_(hold(layer)) {}
    AnyLayer(const AnyLayer& other) : held_(other.held().copy()) {}
    AnyLayer(AnyLayer&&) noexcept = default;
    AnyLayer& operator=(const AnyLayer& other);
    AnyLayer& operator=(AnyLayer&&) noexcept = default;

    // Error of these: this AnyLayer was moved from and holds no layer (std::logic_error).
    Variable operator()(const Variable& x, CallSite site) const { return held().call(x, site); }
    Module& module() { return held().module(); }
    const Module& module() const { return held().module(); }

  private:
    struct Holder {
        virtual ~Holder() = default;
        virtual Variable call(const Variable& x, CallSite site) const = 0;
        virtual Module& module() = 0;
        virtual std::unique_ptr<Holder> copy() const = 0;
        // Assigns `other` to this layer. Returns false if it has another type.
        virtual bool assign(const Holder& other) = 0;
    };

    template <class L>
    struct Held final : Holder {
        explicit Held(const L& value) : layer(value) {}
        Variable call(const Variable& x, CallSite site) const override { return layer(x, site); }
        Module& module() override { return layer; }
        std::unique_ptr<Holder> copy() const override { return std::make_unique<Held>(layer); }
        bool assign(const Holder& other) override {
            const Held* same = dynamic_cast<const Held*>(&other);
            if (same) layer = same->layer;
            return same != nullptr;
        }

        L layer;
    };

    template <class L>
    static std::unique_ptr<Holder> hold(const L& layer) {
        static_assert(std::is_copy_constructible_v<L>,
                      "a layer for Sequential must be copyable: Sequential holds a copy");
        static_assert(UnaryLayer<L>,
                      "a layer for Sequential must have this call operator, const included: "
                      "Variable operator()(const Variable& x, "
                      "CallSite site = CallSite::here()) const");
        return std::make_unique<Held<L>>(layer);
    }
    Holder& held() const;

    std::unique_ptr<Holder> held_;
};

// Sequential network{Linear(2, 16, random), Tanh(), Linear(16, 1, random)};
// Use braces: C++ evaluates them from left to right. With parentheses the order of the layers'
// random draws would be up to the compiler, so they do not compile. The layers are copied and named
// "0", "1", ... To copy a network, write `Sequential copy = network;`.
class Sequential : public Module {
  public:
    Sequential() = default;  // the identity
    Sequential(std::initializer_list<AnyLayer> layers) : layers_(layers) {}

    void add(const AnyLayer& layer) { layers_.push_back(layer); }
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
    Module& module(std::int64_t i, const CallSite& site);
    [[noreturn]] void fail_type(std::int64_t i, const CallSite& site);

    std::vector<AnyLayer> layers_;
};

}}  // namespace heed
