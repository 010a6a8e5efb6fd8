// Positions: how attention learns which token stands where. Attention itself does not know: permute
// its keys and values together, and nothing changes. There are three places to say it, and each way
// of saying it uses one of them:
//
//     in the vectors   added_to()   a learned table, sinusoids
//     in the products  turned()     rotary positions
//     in the scores    bias()       a relative bias, learned or fixed (ALiBi)
//
// All attention layers take any of them (AttentionLayer::positions), and so do the models
// (nn/models).
#pragma once

#include "../module.h"

#include <concepts>
#include <memory>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// Positions count from 0. `first` is that of the first vector or query, after which each is one
// further; it is not 0 where the tokens before were processed earlier (nn/attention/
// key_value_cache.h). Keys begin at 0.
struct Positions : Module {
    // x [..., T, d] with what tells the vectors' places added; x itself where this adds nothing.
    virtual Variable added_to(const Variable& x, std::int64_t first = 0,
                              CallSite site = CallSite::here()) const;
    // Queries or keys [..., T, d_k], each turned by its place; x itself where this turns nothing.
    virtual Variable turned(const Variable& x, std::int64_t first = 0,
                            CallSite site = CallSite::here()) const;
    // What is added to the scores of T_q queries and T_k keys: [h, T_q, T_k], one slice for each
    // head; none where this adds nothing.
    virtual std::optional<Variable> bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first = 0,
                                         CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

// Any of them, held by value, or none.
class AnyPositions {
  public:
    AnyPositions() = default;  // none: then these functions do nothing, too
    template <std::derived_from<Positions> P>
    AnyPositions(const P& positions) : held_(std::make_unique<Held<P>>(positions)) {}
    AnyPositions(const AnyPositions& other) { *this = other; }
    AnyPositions(AnyPositions&&) noexcept = default;
    AnyPositions& operator=(const AnyPositions& other);
    AnyPositions& operator=(AnyPositions&&) noexcept = default;

    bool are_given() const { return held_ != nullptr; }
    Variable added_to(const Variable& x, std::int64_t first = 0,
                      CallSite site = CallSite::here()) const {
        return held_ ? held_->positions().added_to(x, first, site) : x;
    }
    Variable turned(const Variable& x, std::int64_t first = 0,
                    CallSite site = CallSite::here()) const {
        return held_ ? held_->positions().turned(x, first, site) : x;
    }
    std::optional<Variable> bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first = 0,
                                 CallSite site = CallSite::here()) const {
        return held_ ? held_->positions().bias(T_q, T_k, first, site) : std::nullopt;
    }
    // For members(): visits them, if there are any.
    void visit_as(const std::string& name, MemberVisitor& visit) {
        if (held_) held_->visit(name, visit);
    }

  private:
    struct Holder {
        virtual ~Holder() = default;
        virtual const Positions& positions() const = 0;
        virtual void visit(const std::string& name, MemberVisitor& visit) = 0;
        virtual std::unique_ptr<Holder> copy() const = 0;
        // Assigns `other` to these. Returns false if they are of another type.
        virtual bool assign(const Holder& other) = 0;
    };

    template <class P>
    struct Held final : Holder {
        explicit Held(const P& value) : held(value) {}
        const Positions& positions() const override { return held; }
        void visit(const std::string& name, MemberVisitor& visit) override { visit(name, held); }
        std::unique_ptr<Holder> copy() const override { return std::make_unique<Held>(held); }
        bool assign(const Holder& other) override {
            const Held* same = dynamic_cast<const Held*>(&other);
            if (same) held = same->held;
            return same != nullptr;
        }

        P held;
    };

    std::unique_ptr<Holder> held_;
};

}}  // namespace heed
