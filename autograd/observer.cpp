#include "observer.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A thread's list ends with the list for all threads. Neither has a destructor, since objects that
// are destroyed later may still run operations.
Observing* in_every_thread = nullptr;
thread_local Observing* in_this_thread = nullptr;

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
}

ComputingDerivative::ComputingDerivative() {
    for (Observing* each = observers_here(); each; each = each->next) {
        each->observer.derivative_begins();
    }
}

ComputingDerivative::~ComputingDerivative() {
    for (Observing* each = observers_here(); each; each = each->next) {
        each->observer.derivative_ends();
    }
}

}}  // namespace heed
