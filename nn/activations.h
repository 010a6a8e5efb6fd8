// Activation functions as layers, for Sequential. Any shape, entry by entry; what each computes is
// said in tensor/functions.h.
#pragma once

#include "nn/module.h"

namespace heed::inline HEED_PRECISION {

struct Tanh : Module {
    Variable operator()(const Variable& x, Where where = Where::here()) const;
    void members(MemberVisitor&) override {}
};

struct Sigmoid : Module {
    Variable operator()(const Variable& x, Where where = Where::here()) const;
    void members(MemberVisitor&) override {}
};

struct Relu : Module {
    Variable operator()(const Variable& x, Where where = Where::here()) const;
    void members(MemberVisitor&) override {}
};

struct Gelu : Module {  // with erf
    Variable operator()(const Variable& x, Where where = Where::here()) const;
    void members(MemberVisitor&) override {}
};

struct GeluTanh : Module {  // with tanh for erf, as GPT-2 has it
    Variable operator()(const Variable& x, Where where = Where::here()) const;
    void members(MemberVisitor&) override {}
};

}  // namespace heed::inline HEED_PRECISION
