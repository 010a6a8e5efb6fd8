#include "tutorials/exercises/runner/files.h"

#include "tensor/quote.h"
#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"
#include "tutorials/support/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace exercise {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, int problem) {
    throw std::runtime_error("cannot write " + heed::printable(file) + ": " +
                             std::strerror(problem));
}

// Returns errno, 0 for success.
int write_all(int descriptor, const std::string& text) {
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) written += static_cast<std::size_t>(count);
    }
    return 0;
}

// Creates and writes a file with the permissions of `model`, if that is there; returns errno.
int write_new(const std::string& file, const std::string& text, const std::string& model) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return errno;
    struct stat found = {};
    if (stat(model.c_str(), &found) == 0) fchmod(descriptor, found.st_mode & 0777);
    int problem = write_all(descriptor, text);
    if (close(descriptor) != 0 && problem == 0) problem = errno;
    return problem;
}

}  // namespace

Stamp stamp_of(const std::string& file) {
    std::error_code problem;
    const fs::file_time_type time = fs::last_write_time(file, problem);
    if (problem) return {};
    const std::uintmax_t size = fs::file_size(file, problem);
    if (problem) return {};
    return {time.time_since_epoch().count(), static_cast<std::intmax_t>(size)};
}

std::string text_if_any(const std::string& file) {
    try {
        return tutorial::read_text_file(file);
    } catch (const std::runtime_error&) {
        return "";
    }
}

bool same_folder(const std::string& one, const std::string& other) {
    std::error_code none;
    return fs::weakly_canonical(one, none) == fs::weakly_canonical(other, none);
}

void write_file(const std::string& file, const std::string& text) {
    std::error_code none;
    const bool is_link = fs::is_symlink(file, none);
    const std::string place = is_link ? fs::weakly_canonical(file, none).string() : file;
    if (access(place.c_str(), F_OK) == 0 && access(place.c_str(), W_OK) != 0) fail(file, errno);
    const std::string temporary = place + ".new" + std::to_string(getpid());
    int problem = write_new(temporary, text, place);
    if (problem == 0 && std::rename(temporary.c_str(), place.c_str()) != 0) problem = errno;
    if (problem == 0) return;
    std::remove(temporary.c_str());
    fail(file, problem);
}

std::string put_aside(const std::string& file) {
    std::string name = file + ".bak";
    struct stat found = {};
    for (int i = 2; lstat(name.c_str(), &found) == 0; ++i)
        name = file + ".bak." + std::to_string(i);
    if (std::rename(file.c_str(), name.c_str()) != 0) fail(name, errno);
    return name;
}

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
