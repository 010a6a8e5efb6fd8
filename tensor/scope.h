// Scope: an RAII guard, one line in a layer, that records which layer is running and who called it.
// Errors and graphs can then say "in MultiHeadAttention, called at 09_multi_head.cpp:12".
#pragma once

#include "call_site.h"

#include <memory>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

// The record of a scope, which outlives it: recorded operations point to it.
struct ScopeFrame {
    std::string name;
    CallSite site;
    std::shared_ptr<const ScopeFrame> parent;  // the enclosing scope, or null
};

class Scope {
  public:
    // `name` must outlive the scope (usually it is a literal).
    // `kind` is written before it: Scope("matmul", where, "the derivative of ").
    // `recorded_in`: the layers in which the operation now being differentiated was recorded; they
    // must outlive the scope, too.
    explicit Scope(const char* name, CallSite site = CallSite::here(), const char* kind = "",
                   const ScopeFrame* recorded_in = nullptr);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    // The innermost scope of this thread as a frame that outlives it; null outside all scopes.
    static std::shared_ptr<const ScopeFrame> current();

    // "\n  in Linear, called at main.cpp:3" for each open scope, innermost first.
    static std::string trail();

  private:
    std::shared_ptr<const ScopeFrame> frame();

    const char* kind_;
    const char* name_;
    CallSite site_;
    const ScopeFrame* recorded_in_;
    Scope* outer_;
    std::shared_ptr<const ScopeFrame> frame_;  // made on first use
};

}}  // namespace heed
