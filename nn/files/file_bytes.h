// FileBytes: the bytes of a file, mapped into memory rather than copied where the system can.
// write_whole(): a file that is there whole or not at all.
#pragma once

#include "../../tensor/call_site.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// Errors (std::runtime_error): the path is empty; it contains a NUL byte, at which the system would
// cut it. All functions that take a path check it.
void check_path(const char* operation, const std::string& path, const CallSite& site);

// A copy shares the bytes, which are kept as long as any copy lives. Writing to them changes the
// memory, not the file. The file must not become shorter meanwhile.
class FileBytes {
  public:
    // Errors (std::runtime_error): no such file, a directory, a pipe or device, a file that may not
    // be read.
    explicit FileBytes(const std::string& path, CallSite site = CallSite::here());

    std::byte* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::string_view text() const { return {reinterpret_cast<const char*>(data()), size_}; }
    const std::shared_ptr<std::byte>& owner() const { return data_; }

  private:
    std::shared_ptr<std::byte> data_;
    std::size_t size_ = 0;
};

using WriteBytes = std::function<void(const void* bytes, std::size_t size)>;

// Calls `write` with a function that appends bytes to a new file beside `path`,
// "model.safetensors.1234.part" (of a long name only the beginning), which is then flushed to the
// disk and renamed. Whatever happens meanwhile, a crash included, `path` is what it was before, or
// whole. A symbolic link stays one, a file's permissions stay as they are, and what a killed writer
// left beside it is removed. Errors (std::runtime_error): the folder is not there or not writable,
// `path` is a folder, a device or protected from writing, the disk is full; what `write` throws.
void write_whole(const std::string& path, const std::function<void(const WriteBytes&)>& write,
                 CallSite site = CallSite::here());
// The same for a file of these bytes.
void write_whole(const std::string& path, std::string_view bytes, CallSite site = CallSite::here());

}}  // namespace heed
