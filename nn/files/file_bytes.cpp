#include "file_bytes.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace heed { inline namespace HEED_PRECISION {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view part = ".part";  // the end of a file's name that is being written

[[noreturn]] void refuse(const char* doing, const std::string& path, const std::string& why,
                         const CallSite& site) {
    fail_runtime(doing, site, in_quotes(path), ": ", why);
}

// Is there a file? Error: something else is there. Asked before the file is opened, since opening a
// pipe waits for its writer, and since renaming a file over a device would replace the device.
bool is_file(const char* doing, const std::string& path, const CallSite& site) {
    check_path(doing, path, site);
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (status.type() == fs::file_type::regular) return true;
    if (status.type() == fs::file_type::not_found) return false;
    if (status.type() == fs::file_type::directory) {
        refuse(doing, path, "this is a folder, not a file", site);
    }
    refuse(doing, path, problem ? problem.message() : "this is a pipe or a device, not a file",
           site);
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// The beginning of the name of a file beside `target`: "model.safetensors.". A name may have 255
// bytes, or fewer on some systems, so a long one is cut, between two characters.
std::string name_beside(const fs::path& target) {
    std::string name = target.filename().string();
    std::size_t kept = std::min<std::size_t>(name.size(), 100);
    while (kept > 0 && kept < name.size() && (name[kept] & 0xC0) == 0x80) --kept;
    return name.substr(0, kept) + ".";
}

#ifdef _WIN32
std::shared_ptr<std::byte> bytes_of(const std::string& path, std::size_t size,
                                    const CallSite& site) {
    std::shared_ptr<std::byte> bytes(new std::byte[size], std::default_delete<std::byte[]>());
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (!file) refuse("read", path, std::strerror(errno), site);
    const std::size_t read = std::fread(bytes.get(), 1, size, file);
    std::fclose(file);
    if (read != size) refuse("read", path, "it could not be read to its end", site);
    return bytes;
}

int flush(std::FILE*) { return 0; }
void flush_folder(const fs::path&) {}
constexpr bool renames_open = false;
void take_permissions(std::FILE*, std::FILE*) {}
bool is_locked(std::FILE*) { return true; }
void remove_leftovers(const fs::path&) {}
#else
std::shared_ptr<std::byte> bytes_of(const std::string& path, std::size_t size,
                                    const CallSite& site) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) refuse("read", path, std::strerror(errno), site);
    // Without a reserve, since what is only read takes no memory of its own.
    void* const bytes =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    const int problem = errno;
    close(file);
    if (bytes == MAP_FAILED) refuse("read", path, std::strerror(problem), site);
    return {static_cast<std::byte*>(bytes), [size](std::byte* its) { munmap(its, size); }};
}

constexpr bool renames_open = true;  // a file that is open

int flush(std::FILE* file) { return fsync(fileno(file)); }

// So that the new name is on the disk, too. Not all systems can.
void flush_folder(const fs::path& folder) {
    const int opened = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    close(opened);
}

void take_permissions(std::FILE* from, std::FILE* to) {
    struct stat before;
    if (fstat(fileno(from), &before) != 0) return;
    // Only root can give a file away, and sets the owner first, since that takes bits away.
    if (fchown(fileno(to), before.st_uid, before.st_gid) != 0) errno = 0;
    fchmod(fileno(to), before.st_mode & 0777);
}

// A writer holds a lock on its file beside, which ends with the process. False if
// remove_leftovers() of another writer took the file for a leftover between its opening and its
// locking.
bool is_locked(std::FILE* file) {
    flock(fileno(file), LOCK_EX);
    struct stat now;
    return fstat(fileno(file), &now) != 0 || now.st_nlink > 0;
}

// Files beside `target` of writers that were killed: nobody holds their lock.
void remove_leftovers(const fs::path& target) {
    const std::string begin = name_beside(target);
    std::error_code unused;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(target), unused)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(part) ||
            name.find_first_not_of("0123456789", begin.size()) != name.size() - part.size()) {
            continue;
        }
        const int file = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (file < 0) continue;
        if (flock(file, LOCK_EX | LOCK_NB) == 0) unlink(entry.path().c_str());
        close(file);
    }
}
#endif

// Where a symbolic link leads, also if nothing is there yet.
fs::path target_of(fs::path path) {
    for (std::error_code problem; fs::is_symlink(path, problem);) {
        path = path.parent_path() / fs::read_symlink(path, problem);
    }
    return path;
}

// The file beside the one to be written, removed unless it was renamed.
class Beside {
  public:
    Beside(const std::string& path, const CallSite& site) : path_(path), site_(site) {
        const bool is_there = is_file("write", path, site);
        target_ = target_of(path).string();
        const File before = is_there ? opened(target_, "r+b") : File();  // fails if protected
        remove_leftovers(target_);
        do {
            const std::string name = text(name_beside(target_), std::random_device()(), part);
            name_ = (folder_of(target_) / name).string();
            file_ = opened(name_, "wbx");
        } while (!is_locked(file_.get()));
        if (before) take_permissions(before.get(), file_.get());
    }
    Beside(const Beside&) = delete;
    ~Beside() {
        file_.reset();
        if (!name_.empty()) std::remove(name_.c_str());
    }

    void append(const void* bytes, std::size_t size) {
        if (size > 0 && std::fwrite(bytes, 1, size, file_.get()) != size) fail(errno);
    }

    void take_its_place() {
        if (std::fflush(file_.get()) != 0 || flush(file_.get()) != 0) fail(errno);
        if (!renames_open && std::fclose(file_.release()) != 0) fail(errno);
        std::error_code problem;
        fs::rename(name_, target_, problem);
        if (problem) fail(problem.value());
        name_.clear();
        flush_folder(folder_of(target_));
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using File = std::unique_ptr<std::FILE, Close>;

    File opened(const std::string& name, const char* mode) const {
        File file(std::fopen(name.c_str(), mode));
        if (!file) fail(errno);
        return file;
    }

    [[noreturn]] void fail(int problem) const {
        refuse("write", path_, text(std::strerror(problem), "; nothing was changed"), site_);
    }

    std::string path_, target_, name_;
    const CallSite& site_;
    File file_;
};

}  // namespace

void check_path(const char* operation, const std::string& path, const CallSite& site) {
    if (path.empty())
        fail_runtime(operation, site, "the path is empty; give the name of a file or folder");
    if (path.find('\0') == path.npos) return;
    refuse(operation, path, "a path cannot contain a NUL byte", site);
}

FileBytes::FileBytes(const std::string& path, CallSite site) {
    if (!is_file("read", path, site)) refuse("read", path, "there is no such file", site);
    std::error_code problem;
    size_ = fs::file_size(path, problem);
    if (problem) refuse("read", path, problem.message(), site);
    if (size_ > 0) data_ = bytes_of(path, size_, site);
}

void write_whole(const std::string& path, const std::function<void(const WriteBytes&)>& write,
                 CallSite site) {
    Beside beside(path, site);
    write([&beside](const void* bytes, std::size_t size) { beside.append(bytes, size); });
    beside.take_its_place();
}

void write_whole(const std::string& path, std::string_view bytes, CallSite site) {
    write_whole(
        path, [&](const WriteBytes& write) { write(bytes.data(), bytes.size()); }, site);
}

}}  // namespace heed
