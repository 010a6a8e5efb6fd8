// Activation functions as layers, for Sequential. Any shape, entry by entry; what each computes is
// said in tensor/ops/functions.h.
#pragma once

#include "heed/nn/module.h"

namespace heed {
inline namespace HEED_PRECISION {

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

struct Gelu : Module {  // with erf
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

struct GeluTanh : Module {  // with tanh for erf, as GPT-2 has it
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
};

}  // namespace HEED_PRECISION
}  // namespace heed
