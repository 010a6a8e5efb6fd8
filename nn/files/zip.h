// Zip: the files inside a zip file, as they are or deflated, also over 4 GB (zip64).
// (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT)
#pragma once

#include "file_bytes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct ZipEntry {
    std::string name;
    bool is_deflated;
    std::uint32_t crc;
    std::size_t size, begin, packed;  // its packed bytes lie at `begin`
};

// The check by which a zip file knows its bytes again, as do gzip and PNG.
std::uint32_t crc32(std::string_view bytes);

class Zip {
  public:
    // Checks the list of files; none is read. Errors (std::runtime_error, with the file and, where
    // there is one, the entry): it is not a zip file, is cut off or in parts; an entry that is
    // encrypted, packed in another way, there twice, overlaps another, or claims to be larger than
    // its packed bytes can become.
    explicit Zip(const std::string& path, CallSite site = CallSite::here());

    const std::vector<ZipEntry>& entries() const { return entries_; }  // as the list has them

    // At most `size` bytes of an entry, from its first.
    // Error: it is broken (std::runtime_error).
    std::string beginning(const ZipEntry& entry, std::size_t size) const;
    // All of it; a file that is not deflated is not copied. Errors: it is broken, or its CRC is not
    // the stated one (std::runtime_error); out of memory (OutOfMemory).
    std::shared_ptr<std::byte> bytes(const ZipEntry& entry) const;

  private:
    struct List {
        std::uint64_t entries, begin, size;
    };

    List list() const;
    List list_of_zip64(std::size_t end) const;
    void read_entry(std::size_t at);
    void check_places(std::size_t end) const;
    std::string_view packed(const ZipEntry& entry) const {
        return bytes_.text().substr(entry.begin, entry.packed);
    }
    std::uint64_t number(std::size_t at, std::size_t bytes) const;
    template <class... Parts>
    [[noreturn]] void refuse(const Parts&... parts) const;

    std::string path_;
    CallSite site_;
    FileBytes bytes_;
    std::vector<ZipEntry> entries_;
};

}}  // namespace heed
