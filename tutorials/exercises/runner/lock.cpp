#include "tutorials/exercises/runner/lock.h"

#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

namespace exercise {

Lock::Lock(const std::string& folder, const std::function<void()>& waits) {
    constexpr int between = 50, a_moment = 500;  // milliseconds
    descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) return;
    for (int waited = 0; flock(descriptor_, LOCK_EX | LOCK_NB) != 0; waited += between) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;
        if (waited == a_moment && waits) waits();
        poll(nullptr, 0, between);
        suspend_if_asked();
        try {
            signals::check();
        } catch (...) {
            close(descriptor_);  // no destructor does, since this was never made
            throw;
        }
    }
}

Lock::~Lock() {
    if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace exercise
