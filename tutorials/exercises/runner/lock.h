// A lock on a folder, held against other runners. Nothing is written for it, and it ends with the
// process that holds it.
#pragma once

#include <functional>
#include <string>

namespace exercise {

class Lock {
  public:
    // Waits for whoever holds it; `waits` is called once when it takes more than a moment. Where
    // the file system has no locks, goes on without. Throws Stopped if a signal asks for it.
    explicit Lock(const std::string& folder, const std::function<void()>& waits = {});
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    int descriptor_ = -1;
};

}  // namespace exercise
