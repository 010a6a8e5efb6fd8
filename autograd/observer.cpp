#include "observer.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A thread's list ends with the list for all threads. Neither has a destructor, since objects that
// are destroyed later may still run operations.
Observing* in_every_thread = nullptr;
thread_local Observing* in_this_thread = nullptr;

// A position in a list of observers, which stays valid if any of them ends.
struct Position {
    explicit Position(Observing* first) : next(first), outer(innermost) { innermost = this; }
    ~Position() { innermost = outer; }
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;

    // Goes to the next observer that this thread is not notifying already. False: there is none.
    bool advance() {
        do {
            current = next;
            if (current) next = current->next;
        } while (current && is_being_notified());
        return current;
    }
    bool is_being_notified() const {
        for (const Position* at = outer; at; at = at->outer) {
            if (at->current == current) return true;
        }
        return false;
    }

    inline static thread_local Position* innermost = nullptr;

    Observing* current = nullptr;
    Observing* next;
    Position* outer;
};

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
    for (Position* at = Position::innermost; at; at = at->outer) {
        if (at->next == this) at->next = next;
        if (at->current == this) at->current = nullptr;
    }
}

bool notify_until(Observing* first, const std::function<bool(Observer&)>& notify) {
    Position at(first);
    while (at.advance()) {
        if (notify(at.current->observer)) return true;
    }
    return false;
}

}}  // namespace heed
