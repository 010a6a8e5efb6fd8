// Activation functions as layers, for use in Sequential. They work elementwise on any shape; the
// formulas are in tensor/ops/functions.h.
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

struct Gelu : Module {  // exact, with erf
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct GeluTanh : Module {  // the tanh approximation, as in GPT-2
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

}}  // namespace heed
