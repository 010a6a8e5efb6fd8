#include "listed.h"

#include "module.h"

#include <algorithm>
#include <functional>
#include <mutex>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Neither has a destructor, since layers may be static objects, which end in any order.
std::mutex list_mutex;
Listed* first = nullptr;

// Its address identifies the thread. (std::thread::id would cost each program that includes heed a
// tenth of its compile time.)
thread_local const char this_thread = 0;

}  // namespace

Listed::Listed(Kind kind) noexcept : kind_(kind), thread_(&this_thread) { link(); }

Listed::Listed(const Listed& other) noexcept
    : kind_(other.kind_), known_(other.known_.load()), thread_(&this_thread) {
    link();
}

void Listed::link() noexcept {
    const std::lock_guard<std::mutex> lock(list_mutex);
    next_ = first;
    if (next_) next_->before_ = this;
    first = this;
}

Listed::~Listed() {
    const std::lock_guard<std::mutex> lock(list_mutex);
    (before_ ? before_->next_ : first) = next_;
    if (next_) next_->before_ = before_;
}

std::vector<const Listed*> Listed::all() {
    std::vector<const Listed*> living;
    {
        const std::lock_guard<std::mutex> lock(list_mutex);
        for (const Listed* one = first; one; one = one->next_) living.push_back(one);
    }
    std::sort(living.begin(), living.end(), std::less<>());
    return living;
}

bool Listed::made_by_this_thread() const { return thread_ == &this_thread; }

const Module* Listed::module() const {
    return kind_ == Kind::module ? static_cast<const Module*>(this) : nullptr;
}

const Parameter* Listed::parameter() const {
    return kind_ == Kind::parameter ? static_cast<const Parameter*>(this) : nullptr;
}

}}  // namespace heed
