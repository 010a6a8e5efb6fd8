#include "zip.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "inflate.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// What the parts of a zip file begin with, and how long they are without names and extras.
constexpr std::uint64_t entry_mark = 0x04034b50, listed_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::uint64_t end64_mark = 0x06064b50, place64_mark = 0x07064b50;
constexpr std::size_t entry_length = 30, listed_length = 46, end_length = 22;
constexpr std::size_t place64_length = 20, longest_comment = 0xFFFF;
constexpr std::uint64_t in_zip64 = 0xFFFFFFFF;  // a size that stands elsewhere

std::string method_text(std::uint64_t method) {
    struct Named {
        std::uint64_t method;
        const char* name;
    };
    constexpr Named names[] = {{1, "Shrink"}, {6, "Implode"}, {9, "Deflate64"},  {12, "bzip2"},
                               {14, "LZMA"},  {20, "Zstd"},   {93, "Zstandard"}, {95, "XZ"}};
    for (const Named& named : names) {
        if (named.method == method) return named.name;
    }
    return text("method ", method);
}

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

// What a byte does to the CRC, if 0 to 7 more follow it.
constexpr CrcTables crc_tables = [] {
    CrcTables tables = {};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 == 1 ? 0xEDB88320 : 0);
        tables[0][i] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t i = 0; i < 256; ++i) {
            const std::uint32_t before = tables[k - 1][i];
            tables[k][i] = before >> 8 ^ tables[0][before % 256];
        }
    }
    return tables;
}();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    std::size_t at = 0;
    for (; bytes.size() - at >= 8; at += 8) {  // eight at once
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            const std::uint32_t before = i < 4 ? crc >> 8 * i : 0;
            next ^= crc_tables[7 - i][(byte(at + i) ^ before) % 256];
        }
        crc = next;
    }
    for (; at < bytes.size(); ++at) crc = crc >> 8 ^ crc_tables[0][(crc ^ byte(at)) % 256];
    return ~crc;
}

template <class... Parts>
void Zip::refuse(const Parts&... parts) const {
    fail_runtime("zip", site_, in_quotes(path_), ": ", parts...);
}

std::uint64_t Zip::number(std::size_t at, std::size_t bytes) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at) {
        refuse("it should go on at byte ", at, ", and ends at ", bytes_.size());
    }
    std::uint64_t number = 0;
    for (std::size_t i = bytes; i-- > 0;) {
        number = number << 8 | static_cast<std::uint64_t>(bytes_.data()[at + i]);
    }
    return number;
}

Zip::Zip(const std::string& path, CallSite site) : path_(path), site_(site), bytes_(path, site) {
    const List its = list();
    if (its.begin > bytes_.size() || its.size > bytes_.size() - its.begin ||
        its.entries > its.size / listed_length) {
        refuse("its list of ", its.entries, " files, ", its.size, " bytes at byte ", its.begin,
               ", does not fit into its ", bytes_.size(), " bytes; it is cut off");
    }
    std::size_t at = its.begin;
    for (std::uint64_t i = 0; i < its.entries; ++i) {
        read_entry(at);
        at += listed_length + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2);
    }
    if (at != its.begin + its.size) refuse("its list of files is not as long as it says");
    check_places(its.begin);
}

// The file ends with the place of its list, and a comment.
Zip::List Zip::list() const {
    const std::size_t size = bytes_.size();
    for (std::size_t comment = 0; comment <= longest_comment; ++comment) {
        if (size < end_length + comment) break;
        const std::size_t end = size - end_length - comment;
        if (number(end, 4) != end_mark || number(end + 20, 2) != comment) continue;
        if (end >= place64_length && number(end - place64_length, 4) == place64_mark) {
            return list_of_zip64(end - place64_length);
        }
        if (number(end + 4, 4) != 0) refuse("it is in several parts, which are not read");
        return {number(end + 10, 2), number(end + 16, 4), number(end + 12, 4)};
    }
    refuse("it does not end as a zip file does; it is cut off, or not a zip file");
}

Zip::List Zip::list_of_zip64(std::size_t place) const {
    const std::uint64_t end = number(place + 8, 8);
    if (end > place || number(end, 4) != end64_mark) {
        refuse("the end of its list is not at byte ", end, ", where it should be");
    }
    if (number(end + 16, 8) != 0) refuse("it is in several parts, which are not read");
    return {number(end + 32, 8), number(end + 48, 8), number(end + 40, 8)};
}

void Zip::read_entry(std::size_t at) {
    if (number(at, 4) != listed_mark) refuse("its list of files is broken at byte ", at);
    const std::uint64_t flags = number(at + 8, 2), method = number(at + 10, 2);
    const std::size_t name_length = number(at + 28, 2), extra_length = number(at + 30, 2);
    std::uint64_t sizes[] = {number(at + 24, 4), number(at + 20, 4), number(at + 42, 4)};
    number(at + listed_length, name_length + extra_length);
    const std::string name(bytes_.text().substr(at + listed_length, name_length));

    // What does not fit into 4 bytes stands in the extra of number 1, in this order.
    const std::size_t extras = at + listed_length + name_length, end = extras + extra_length;
    for (std::size_t extra = extras; extra + 4 <= end; extra += 4 + number(extra + 2, 2)) {
        if (number(extra, 2) != 1) continue;
        std::size_t place = extra + 4;
        for (std::uint64_t& size : sizes) {
            if (size != in_zip64) continue;
            size = number(place, 8);
            place += 8;
        }
        break;
    }
    const auto [size, packed, local] = sizes;
    constexpr std::uint64_t encrypted = 1 | 1 << 6 | 1 << 13;
    if ((flags & encrypted) != 0) refuse(in_quotes(name), " is encrypted, which is not read");
    if (method != 0 && method != 8) {
        refuse(in_quotes(name), " is packed by ", method_text(method),
               "; what is stored or deflated can be read");
    }
    // The entry itself, whose name and extra can be of other lengths.
    if (local > bytes_.size() || number(local, 4) != entry_mark) {
        refuse(in_quotes(name), " is not at byte ", local, ", where the list has it");
    }
    const std::size_t begin = local + entry_length + number(local + 26, 2) + number(local + 28, 2);
    if (bytes_.text().substr(local + entry_length, number(local + 26, 2)) != name) {
        refuse(in_quotes(name), " has another name at its place, byte ", local);
    }
    if (begin > bytes_.size() || packed > bytes_.size() - begin) {
        refuse(in_quotes(name), " takes ", packed, " bytes from byte ", begin, " of ",
               bytes_.size(), "; the file is cut off");
    }
    if (method == 0 ? size != packed : size / most_inflated > packed) {
        refuse(in_quotes(name), " cannot be ", size, " bytes long: it is ", packed,
               method == 0 ? ", stored as they are" : ", deflated");
    }
    const std::size_t unpacked = static_cast<std::size_t>(size);
    if (unpacked != size) {  // where a size has 32 bits
        refuse(in_quotes(name), " is ", size, " bytes long, more than this machine can address");
    }
    entries_.push_back({name, method == 8, static_cast<std::uint32_t>(number(at + 16, 4)), unpacked,
                        begin, static_cast<std::size_t>(packed)});
}

void Zip::check_places(std::size_t end) const {
    std::unordered_set<std::string> names;
    std::vector<const ZipEntry*> in_order;
    for (const ZipEntry& entry : entries_) {
        if (!names.insert(entry.name).second) refuse(in_quotes(entry.name), " is there twice");
        in_order.push_back(&entry);
    }
    std::sort(in_order.begin(), in_order.end(),
              [](const ZipEntry* a, const ZipEntry* b) { return a->begin < b->begin; });
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        const std::size_t next =
            i + 1 < in_order.size() ? in_order[i + 1]->begin - entry_length : end;
        if (in_order[i]->begin + in_order[i]->packed > next) {
            refuse(in_quotes(in_order[i]->name), " overlaps what comes after it");
        }
    }
}

std::string Zip::beginning(const ZipEntry& entry, std::size_t size) const {
    size = std::min(size, entry.size);
    if (!entry.is_deflated) return std::string(packed(entry).substr(0, size));
    std::string begin(size, '\0');
    const std::string_view problem = inflate(
        packed(entry), reinterpret_cast<std::byte*>(begin.data()), size, InflatePart::beginning);
    if (!problem.empty()) refuse(in_quotes(entry.name), " is broken: ", problem);
    return begin;
}

std::shared_ptr<std::byte> Zip::bytes(const ZipEntry& entry) const {
    std::shared_ptr<std::byte> bytes(bytes_.owner(), bytes_.data() + entry.begin);
    if (entry.is_deflated) {
        try {
            bytes = std::shared_ptr<std::byte>(new std::byte[entry.size],
                                               std::default_delete<std::byte[]>());
        } catch (const std::bad_alloc&) {
            fail_memory("zip", site_, in_quotes(path_), ": ", in_quotes(entry.name), " is ",
                        entry.size, " bytes long, and that much memory is not free");
        }
        const std::string_view problem = inflate(packed(entry), bytes.get(), entry.size);
        if (!problem.empty()) refuse(in_quotes(entry.name), " is broken: ", problem);
    }
    if (crc32({reinterpret_cast<const char*>(bytes.get()), entry.size}) != entry.crc) {
        refuse(in_quotes(entry.name), " is broken: its CRC is not the one it was written with");
    }
    return bytes;
}

}}  // namespace heed
