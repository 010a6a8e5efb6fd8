// Any: a layer of any type that derives from an interface, held by value, or none.
#pragma once

#include "module.h"

#include <concepts>
#include <memory>

namespace heed { inline namespace HEED_PRECISION {

template <class Interface>
class Any {
  public:
    Any() = default;  // none
    template <std::derived_from<Interface> Layer>
    Any(const Layer& layer) : held_(std::make_unique<Held<Layer>>(layer)) {}
    Any(const Any& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
    Any(Any&&) noexcept = default;
    // A layer of the same type is assigned in place, so optimizers' handles stay valid.
    Any& operator=(const Any& other) {
        if (this == &other) return *this;
        const bool assigned = held_ && other.held_ && held_->assign(*other.held_);
        if (!assigned) held_ = other.held_ ? other.held_->copy() : nullptr;
        return *this;
    }
    Any& operator=(Any&&) noexcept = default;

    Interface* get() const { return held_ ? &held_->get() : nullptr; }
    // Visits the layer, if there is one: its holder's members() calls visit(name, any).
    void visit_as(const std::string& name, MemberVisitor& visit) {
        if (held_) held_->visit(name, visit);
    }

  private:
    struct Holder {
        virtual ~Holder() = default;
        virtual Interface& get() = 0;
        virtual void visit(const std::string& name, MemberVisitor& visit) = 0;
        virtual std::unique_ptr<Holder> copy() const = 0;
        // Assigns `other` to this layer. Returns false if it has another type.
        virtual bool assign(const Holder& other) = 0;
    };

    template <class Layer>
    struct Held final : Holder {
        explicit Held(const Layer& value) : layer(value) {}
        Interface& get() override { return layer; }
        void visit(const std::string& name, MemberVisitor& visit) override { visit(name, layer); }
        std::unique_ptr<Holder> copy() const override { return std::make_unique<Held>(layer); }
        bool assign(const Holder& other) override {
            const Held* same = dynamic_cast<const Held*>(&other);
            if (same) layer = same->layer;
            return same != nullptr;
        }

        Layer layer;
    };

    std::unique_ptr<Holder> held_;
};

}}  // namespace heed
