// Files: seeing changes, writing, putting aside; and a lock on a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace exercise {

// What changes when a file is saved: its time or its size.
struct Stamp {
    std::int64_t time = 0;
    std::intmax_t size = -1;  // there is no such file
    bool is_there() const { return size >= 0; }
    bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& file);

// A file's text; "" if it cannot be read.
std::string text_if_any(const std::string& file);

// Do both names lead to the same folder?
bool same_folder(const std::string& one, const std::string& other);

// Writes to a temporary file beside it, then renames: the file is never half written. A link stays
// a link, and a read-only file is left alone. Error: it cannot be written, and why
// (std::runtime_error).
void write_file(const std::string& file, const std::string& text);

// Renames a file to FILE.bak, or FILE.bak.2, FILE.bak.3 and so on if that is there; returns the new
// name. Error: that fails (std::runtime_error).
std::string put_aside(const std::string& file);

// A lock on a folder, held against other runners. Nothing is written for it, and it ends with the
// process that holds it.
class Lock {
  public:
    // Waits for its holder; `waits` is called once if that takes more than a moment. Where the file
    // system has no locks, it goes on without one. Throws Stopped if a signal asks for it.
    explicit Lock(const std::string& folder, const std::function<void()>& waits = {});
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    int descriptor_ = -1;
};

}  // namespace exercise
