// What messages are made of: the caller's line, the open scopes, and values as text.
#include "errors.h"

#include <cstring>
#include <locale>
#include <sstream>

namespace heed { inline namespace HEED_PRECISION {

TextBuilder::TextBuilder() : stream_(std::make_unique<std::ostringstream>()) {
    stream_->imbue(std::locale::classic());
}

TextBuilder::~TextBuilder() = default;
std::ostream& TextBuilder::out() { return *stream_; }
std::string TextBuilder::text() const { return stream_->str(); }

std::string CallSite::text() const {
    const char* slash = std::strrchr(file, '/');
    const char* base = slash ? slash + 1 : file;
    return std::string(base) + ":" + std::to_string(line);
}

namespace {
// The open scopes of a thread: a linked list on its stack, since scopes close in reverse order.
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
