#include "choose.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/choose.h"
#include "../record.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
Variable zero() { return Variable(tensor::of(0)); }

// y = a where the condition c is true, else b                 G = ∂L/∂y
// G is chosen the same way rather than multiplied by 0 or 1: 0·NaN would let a NaN through.
struct Choice final : Operation {
    BoolTensor c;

    explicit Choice(const BoolTensor& condition) : c(condition) {}
    const char* name() const override { return "where"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::where(c, in[0], in[1], site);
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 0) return where(c, G, zero());  // ∂L/∂a = G where c, else 0
        return where(c, zero(), G);                  // ∂L/∂b = 0 where c, else G
    }
};
}  // namespace

Variable where(const BoolTensor& condition, const Variable& a, const Variable& b, CallSite site) {
    return record<Choice>({&a, &b}, site, condition);
}

Variable where(const BoolTensor& condition, const Variable& a, double b, CallSite site) {
    return where(condition, a, Variable(tensor::full({}, b, site)), site);
}

Variable where(const BoolTensor& condition, double a, const Variable& b, CallSite site) {
    return where(condition, Variable(tensor::full({}, a, site)), b, site);
}

namespace {
// y = value where the condition c is true, else x
struct MaskedFill final : Operation {
    BoolTensor c;
    double value;

    MaskedFill(const BoolTensor& condition, double fill) : c(condition), value(fill) {}
    const char* name() const override { return "masked_fill"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::masked_fill(in[0], c, value, site);
    }
    bool may_be_infinite() const override { return __builtin_isinf(value) != 0; }

    Variable gradient(int, const Variable& G) const override {
        return where(c, zero(), G);  // ∂L/∂x = 0 where c, else G
    }
};
}  // namespace

Variable masked_fill(const Variable& x, const BoolTensor& condition, double value, CallSite site) {
    return record<MaskedFill>({&x}, site, condition, value);
}

namespace {
// y[..., i, j] = x[..., i, j] where j ≤ i + diagonal, or where j ≥ i + diagonal, else 0
struct Triangle final : Operation {
    bool lower;
    std::int64_t diagonal;

    Triangle(bool is_lower, std::int64_t above) : lower(is_lower), diagonal(above) {}
    const char* name() const override { return lower ? "tril" : "triu"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return lower ? tensor::tril(in[0], diagonal, site) : tensor::triu(in[0], diagonal, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return lower ? tril(G, diagonal) : triu(G, diagonal);  // ∂L/∂x = the same triangle of G
    }
};
}  // namespace

Variable tril(const Variable& x, std::int64_t diagonal, CallSite site) {
    return record<Triangle>({&x}, site, true, diagonal);
}

Variable triu(const Variable& x, std::int64_t diagonal, CallSite site) {
    return record<Triangle>({&x}, site, false, diagonal);
}

}}  // namespace heed
