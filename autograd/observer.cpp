#include "heed/autograd/observer.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// A thread's list ends with the list for all threads. Neither has a destructor, since objects that
// are destroyed later may still run operations.
const Observing* in_every_thread = nullptr;
thread_local const Observing* in_this_thread = nullptr;

const Observing* first() { return in_this_thread ? in_this_thread : in_every_thread; }

}  // namespace

Observers observers() { return Observers(first()); }

Observing::Observing(Observer& observer, bool in_all_threads)
    : observer_(observer), next_(first()), in_all_threads_(in_all_threads) {
    (in_all_threads ? in_every_thread : in_this_thread) = this;
}

Observing::~Observing() { (in_all_threads_ ? in_every_thread : in_this_thread) = next_; }

}  // namespace HEED_PRECISION
}  // namespace heed
