// Scope: one RAII line in a layer that says which layer is at work and who called it.
// Errors and graphs can then say "in MultiHeadAttention, called at 09_multi_head.cpp:12".
#pragma once

#include "heed/tensor/call_site.h"

#include <memory>
#include <string>

namespace heed {
inline namespace HEED_PRECISION {

// What is remembered of a scope after it was left: recorded operations point to it.
struct ScopeFrame {
    std::string name;
    CallSite site;
    std::shared_ptr<const ScopeFrame> parent;  // the scope around this one, or none
};

class Scope {
  public:
    // `name` must live as long as the scope does (a literal, as a rule).
    // `kind` goes before it: Scope("matmul", where, "the derivative of ").
    // `recorded_in`: the layers in which the operation was recorded that is now differentiated;
    // they must live as long, too.
    explicit Scope(const char* name, CallSite site = CallSite::here(), const char* kind = "",
                   const ScopeFrame* recorded_in = nullptr);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    // The innermost scope of this thread as a frame that outlives it; none outside all scopes.
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
    std::shared_ptr<const ScopeFrame> frame_;  // made when first asked for
};

}  // namespace HEED_PRECISION
}  // namespace heed
