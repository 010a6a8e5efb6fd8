// Activation functions as layers, for use in Sequential. All but Softmax work elementwise on any
// shape; the formulas are in tensor/ops/functions.h.
#pragma once

#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

struct Tanh : Module {
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct Sigmoid : Module {
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct Relu : Module {
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct Silu : Module {  // x·σ(x) (Elfwing et al. 2018)
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct Gelu : Module {  // exact, with erf
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct GeluTanh : Module {  // the tanh approximation, as in GPT-2
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

// y_i = exp(x_i) / Σ_j exp(x_j), with i and j along an axis (tensor/ops/softmax.h). Not for a model
// whose loss is cross_entropy(), which takes the scores before it.
struct Softmax : Module {
    explicit Softmax(int its_axis = -1) : axis(its_axis) {}

    // Error: x has no such axis (std::out_of_range).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
    std::string details() const override;

    int axis;
};

}}  // namespace heed
