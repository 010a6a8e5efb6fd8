// The open scopes of a thread: a linked list on its stack, since scopes close in reverse order.
#include "scope.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local Scope* innermost = nullptr;

std::string trail_line(const std::string& name, const CallSite& site) {
    return "\n  in " + name + ", called at " + site.text();
}
}  // namespace

Scope::Scope(const char* name, CallSite site, const char* kind, const ScopeFrame* recorded_in)
    : kind_(kind), name_(name), site_(site), recorded_in_(recorded_in), outer_(innermost) {
    innermost = this;
}

Scope::~Scope() { innermost = outer_; }

std::shared_ptr<const ScopeFrame> Scope::frame() {
    if (!frame_) {
        std::shared_ptr<const ScopeFrame> parent = outer_ ? outer_->frame() : nullptr;
        frame_ = std::make_shared<const ScopeFrame>(
            ScopeFrame{std::string(kind_) + name_, site_, parent});
    }
    return frame_;
}

std::shared_ptr<const ScopeFrame> Scope::current() {
    return innermost ? innermost->frame() : nullptr;
}

std::string Scope::trail() {
    std::string lines;
    for (const Scope* scope = innermost; scope; scope = scope->outer_) {
        lines += trail_line(std::string(scope->kind_) + scope->name_, scope->site_);
        const ScopeFrame* frame = scope->recorded_in_;
        for (; frame; frame = frame->parent.get()) lines += trail_line(frame->name, frame->site);
    }
    return lines;
}

}}  // namespace heed
