#include "tensor/scope.h"

#include <cstring>

namespace heed::inline HEED_PRECISION {

namespace {
thread_local Scope* innermost = nullptr;
}

std::string Where::text() const {
    const char* slash = std::strrchr(file, '/');
    const char* base = slash ? slash + 1 : file;
    return std::string(base) + ":" + std::to_string(line);
}

Scope::Scope(const char* name, Where where, const char* kind)
    : kind_(kind), name_(name), where_(where), outer_(innermost) {
    innermost = this;
}

Scope::~Scope() { innermost = outer_; }

std::shared_ptr<const ScopeFrame> Scope::frame() {
    if (!frame_) {
        std::shared_ptr<const ScopeFrame> parent = outer_ ? outer_->frame() : nullptr;
        frame_ = std::make_shared<const ScopeFrame>(
            ScopeFrame{std::string(kind_) + name_, where_, parent});
    }
    return frame_;
}

std::shared_ptr<const ScopeFrame> Scope::current() {
    return innermost ? innermost->frame() : nullptr;
}

std::string Scope::trail() {
    std::string lines;
    for (const Scope* scope = innermost; scope; scope = scope->outer_) {
        lines += std::string("\n  in ") + scope->kind_ + scope->name_ + ", called at " +
                 scope->where_.text();
    }
    return lines;
}

}  // namespace heed::inline HEED_PRECISION
