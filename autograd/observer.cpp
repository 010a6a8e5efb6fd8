#include "observer.h"

#include <exception>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A thread's list ends with the list for all threads. Neither has a destructor, since objects that
// are destroyed later may still run operations.
Observing* in_every_thread = nullptr;
thread_local Observing* in_this_thread = nullptr;
thread_local NotifiedObserver* innermost_notified = nullptr;

}  // namespace

Observing* observers() { return in_this_thread ? in_this_thread : in_every_thread; }

Observing* observers_here() { return in_this_thread; }

Observing::Observing(Observer& notified, bool in_all_threads)
    : observer(notified), next(observers()), in_all_threads_(in_all_threads) {
    (in_all_threads ? in_every_thread : in_this_thread) = this;
}

// Searches the list, since guards on the heap may end in any order.
Observing::~Observing() {
    Observing** link = in_all_threads_ ? &in_every_thread : &in_this_thread;
    while (*link && *link != this) link = &(*link)->next;
    if (*link) *link = next;
    if (in_this_thread == in_every_thread) in_this_thread = nullptr;
    for (NotifiedObserver* at = innermost_notified; at; at = at->outer_) {
        if (at->next_ == this) at->next_ = next;
        if (at->current_ == this) at->current_ = nullptr;
    }
}

NotifiedObserver::NotifiedObserver(Observing* first) : next_(first), outer_(innermost_notified) {
    innermost_notified = this;
    advance();
}

NotifiedObserver::~NotifiedObserver() { innermost_notified = outer_; }

void NotifiedObserver::advance() {
    const auto is_being_notified = [this](const Observing* observing) {
        for (const NotifiedObserver* at = outer_; at; at = at->outer_) {
            if (at->current_ == observing) return true;
        }
        return false;
    };
    do {
        current_ = next_;
        if (current_) next_ = current_->next;
    } while (current_ && is_being_notified(current_));
}

namespace {
template <class Notify>
void notify_all(const Notify& notify) {
    std::exception_ptr thrown;
    each_observer(observers_here(), [&](Observing& each) {
        try {
            notify(each);
        } catch (...) {
            if (!thrown) thrown = std::current_exception();
        }
    });
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace

ComputingDerivative::ComputingDerivative() {
    try {
        notify_all([](Observing& each) {
            ++each.derivatives_;
            each.observer.derivative_begins();
        });
    } catch (...) {
        end_quietly();
        throw;
    }
}

ComputingDerivative::~ComputingDerivative() {
    if (!ended_) end_quietly();
}

void ComputingDerivative::end() {
    ended_ = true;
    notify_all([](Observing& each) {
        if (each.derivatives_ == 0) return;  // it was not there when the derivative began
        --each.derivatives_;
        each.observer.derivative_ends();
    });
}

void ComputingDerivative::end_quietly() noexcept {
    try {
        end();
    } catch (...) {
        // Another exception is on its way.
    }
}

}}  // namespace heed
