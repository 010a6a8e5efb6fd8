// Positions: how attention learns which token is where. Attention itself does not know: permute
// its keys and values together, and nothing changes. The order can enter in three places, and each
// kind of positions uses one of them:
//
//     in the vectors   added_to()   a learned table, sinusoids
//     in the products  turned()     rotary positions
//     in the scores    bias()       a relative bias, learned or fixed (ALiBi)
//
// All attention layers take any of them (AttentionLayer::positions), and so do the models
// (nn/models).
#pragma once

#include "../any.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// Positions count from 0. `first` is that of the first vector or query, after which each is one
// further; it is not 0 where the tokens before were processed earlier (nn/attention/
// key_value_cache.h). Keys begin at 0. Error of each kind: `first` is negative, or the last
// position is beyond 64 bits (std::out_of_range).
struct Positions : Module {
    // x [..., T, d] plus what encodes the positions; x itself where this adds nothing.
    virtual Variable added_to(const Variable& x, std::int64_t first = 0,
                              CallSite site = CallSite::here()) const;
    // Queries or keys [..., T, d_k], each turned by its position; x itself where this turns
    // nothing.
    virtual Variable turned(const Variable& x, std::int64_t first = 0,
                            CallSite site = CallSite::here()) const;
    // What is added to the scores of T_q queries and T_k keys: [h, T_q, T_k], one slice for each
    // head; none where this adds nothing.
    virtual std::optional<Variable> bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first = 0,
                                         CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

// Any of them, held by value, or none: then these functions do nothing.
class AnyPositions : public Any<Positions> {
  public:
    using Any::Any;

    bool are_given() const { return get() != nullptr; }
    Variable added_to(const Variable& x, std::int64_t first = 0,
                      CallSite site = CallSite::here()) const {
        return get() ? get()->added_to(x, first, site) : x;
    }
    Variable turned(const Variable& x, std::int64_t first = 0,
                    CallSite site = CallSite::here()) const {
        return get() ? get()->turned(x, first, site) : x;
    }
    std::optional<Variable> bias(std::int64_t T_q, std::int64_t T_k, std::int64_t first = 0,
                                 CallSite site = CallSite::here()) const {
        return get() ? get()->bias(T_q, T_k, first, site) : std::nullopt;
    }
};

// x must be [..., T, d], and `first` not negative. Errors: ShapeError, std::out_of_range.
void check_placed(const char* name, const Variable& x, std::int64_t d, std::int64_t first,
                  const CallSite& site);
// `first` must not be negative, and first + T a 64-bit number. Error: std::out_of_range.
void check_first(const char* name, std::int64_t first, std::int64_t T, const CallSite& site);
// Positions first, ..., first + T - 1 must be below the limit. Error: std::out_of_range, with both
// numbers.
void check_limit(const char* name, std::int64_t first, std::int64_t T, std::int64_t limit,
                 const CallSite& site);

}}  // namespace heed
