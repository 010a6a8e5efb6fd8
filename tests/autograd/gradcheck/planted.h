// An operation with an arbitrary derivative, right or wrong, to test whether a fault is noticed.
#pragma once

#include "autograd/record.h"

#include <functional>

namespace heed { inline namespace HEED_PRECISION {

using Rule = std::function<Variable(int input, const Variable& G)>;

struct Planted final : Operation {
    Tensor y;
    Rule rule;

    Planted(const Tensor& value, const Rule& own) : y(value), rule(own) {}
    const char* name() const override { return "planted"; }
    Tensor forward(const Inputs&, const CallSite&) const override { return y; }
    Variable gradient(int input, const Variable& G) const override { return rule(input, G); }
};

inline Variable planted(const Tensor& y, const std::vector<Variable>& inputs, const Rule& rule,
                        CallSite site = CallSite::here()) {
    return record<Planted>(inputs, site, y, rule);
}

}}  // namespace heed
