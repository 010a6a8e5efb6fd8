#include "file_bytes.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace heed { inline namespace HEED_PRECISION {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void refuse(const char* doing, const std::string& path, const std::string& why,
                         const CallSite& site) {
    fail_runtime(doing, site, heed::quoted(path), ": ", why);
}

// Before the file is opened, since to open a pipe is to wait for its writer.
void check_is_file(const std::string& path, const CallSite& site) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (status.type() == fs::file_type::regular) return;
    if (status.type() == fs::file_type::not_found) {
        refuse("read", path, "there is no such file", site);
    }
    if (status.type() == fs::file_type::directory) {
        refuse("read", path, "this is a folder, not a file", site);
    }
    refuse("read", path, problem ? problem.message() : "this is a pipe or a device, not a file",
           site);
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
#else
std::shared_ptr<std::byte> bytes_of(const std::string& path, std::size_t size,
                                    const CallSite& site) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) refuse("read", path, std::strerror(errno), site);
    void* const bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    const int problem = errno;
    close(file);
    if (bytes == MAP_FAILED) refuse("read", path, std::strerror(problem), site);
    return {static_cast<std::byte*>(bytes), [size](std::byte* its) { munmap(its, size); }};
}

int flush(std::FILE* file) { return fsync(fileno(file)); }

// So that the new name is on the disk, too. Not all systems can.
void flush_folder(const fs::path& folder) {
    const int opened = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    close(opened);
}
#endif

// The file beside the one to be written, removed unless it was renamed.
class Beside {
  public:
    Beside(const std::string& path, const CallSite& site) : path_(path), site_(site) {
        const fs::path target = fs::is_symlink(path) ? fs::weakly_canonical(path) : fs::path(path);
        target_ = target.string();
        name_ = text(target_, ".", std::random_device()(), ".part");
        file_ = std::fopen(name_.c_str(), "wbx");
        if (!file_) fail(errno);
    }
    Beside(const Beside&) = delete;
    ~Beside() {
        if (file_) std::fclose(file_);
        if (!name_.empty()) std::remove(name_.c_str());
    }

    void append(const void* bytes, std::size_t size) {
        if (size > 0 && std::fwrite(bytes, 1, size, file_) != size) fail(errno);
    }

    void take_its_place() {
        if (std::fflush(file_) != 0 || flush(file_) != 0) fail(errno);
        std::FILE* const file = std::exchange(file_, nullptr);
        if (std::fclose(file) != 0) fail(errno);
        std::error_code problem;
        fs::rename(name_, target_, problem);
        if (problem) refuse("write", path_, problem.message(), site_);
        name_.clear();
        flush_folder(fs::absolute(target_).parent_path());
    }

  private:
    [[noreturn]] void fail(int problem) const {
        refuse("write", path_, std::strerror(problem), site_);
    }

    std::string path_, target_, name_;
    const CallSite& site_;
    std::FILE* file_ = nullptr;
};

}  // namespace

FileBytes::FileBytes(const std::string& path, CallSite site) {
    check_is_file(path, site);
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

}}  // namespace heed
