#include "npy.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops/index.h"
#include "../../tensor/quote.h"
#include "../../tensor/views.h"
#include "file_bytes.h"
#include "npy_header.h"
#include "stored_numbers.h"
#include "zip.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The header, if the file is as long as it says.
NpyHeader checked_header(std::string_view begin, std::size_t size, const std::string& name,
                         const CallSite& site) {
    const NpyHeader header = npy_header(begin, name, site);
    if (size == header.file_size()) return header;
    fail_runtime("npy", site, name, ": ", header.shape, " of ", in_quotes(header.dtype), " takes ",
                 header.file_size(), " bytes with the header, and it has ", size,
                 size < header.file_size() ? "; it is cut off" : "; what follows is not read");
}

// As the numbers lie in the file, the last axis varies fastest.
Shape shape_in_file(const NpyHeader& header) {
    if (!header.is_fortran) return header.shape;
    std::vector<std::int64_t> dims(header.shape.begin(), header.shape.end());
    std::reverse(dims.begin(), dims.end());
    return Shape(Dims(dims));
}

// The numbers with the bytes of each turned round.
std::shared_ptr<std::byte> turned(const std::byte* from, const NpyHeader& header) {
    const std::size_t size = header.file_size() - header.length;
    const auto bytes = std::make_shared<std::vector<std::byte>>(from, from + size);
    for (auto number = bytes->begin(); number != bytes->end();
         number += static_cast<std::ptrdiff_t>(header.bytes)) {
        std::reverse(number, number + static_cast<std::ptrdiff_t>(header.bytes));
    }
    return {bytes, bytes->data()};
}

// `file` are the bytes of the whole file.
Tensor tensor_of(const NpyHeader& header, const std::shared_ptr<std::byte>& file,
                 const CallSite& site) {
    std::shared_ptr<std::byte> numbers(file, file.get() + header.length);
    if (header.is_big_endian && header.bytes > 1) numbers = turned(numbers.get(), header);
    std::string dtype = header.kind == 'b' ? "BOOL" : text(header.kind, 8 * header.bytes);
    dtype[0] = static_cast<char>(std::toupper(dtype[0]));
    const Tensor read = stored_tensor(dtype, numbers, shape_in_file(header), site);
    if (!header.is_fortran) return read;
    Dims from_last;
    for (int axis = read.rank(); axis-- > 0;) from_last.append(axis);
    return tensor::permute(read, from_last);
}

// A whole number of any length and order.
std::int64_t whole_number(const std::byte* from, const NpyHeader& header) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < header.bytes; ++i) {
        const std::size_t place = header.is_big_endian ? i : header.bytes - 1 - i;
        bits = bits << 8 | static_cast<std::uint64_t>(from[place]);
    }
    if (header.kind == 'b') return bits != 0;
    if (header.kind == 'u') return static_cast<std::int64_t>(bits);
    const int unused = static_cast<int>(64 - 8 * header.bytes);
    return static_cast<std::int64_t>(bits << unused) >> unused;  // the sign's bit is repeated
}

}  // namespace

Tensor read_npy(const std::string& path, CallSite site) {
    const FileBytes file(path, site);
    const NpyHeader header = checked_header(file.text(), file.size(), in_quotes(path), site);
    return tensor_of(header, file.owner(), site);
}

IndexTensor read_npy_integers(const std::string& path, CallSite site) {
    const FileBytes file(path, site);
    const NpyHeader header = checked_header(file.text(), file.size(), in_quotes(path), site);
    if (header.kind == 'f') {
        fail_runtime("npy", site, in_quotes(path), ": it holds floating-point numbers (",
                     in_quotes(header.dtype), "), which read_npy() reads");
    }
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(header.shape.numel()));
    const std::byte* from = file.data() + header.length;
    for (std::int64_t& number : numbers) {
        number = whole_number(from, header);
        from += header.bytes;
        if (number < 0 && header.kind == 'u') {
            fail_runtime("npy", site, in_quotes(path), ": it holds the number ",
                         static_cast<std::uint64_t>(number), ", which is over 2^63 - 1");
        }
    }
    IndexTensor read(numbers, shape_in_file(header), site);
    if (!header.is_fortran) return read;
    for (int axis = 0; axis < read.rank() / 2; ++axis) {
        read = tensor::transpose(read, axis, read.rank() - 1 - axis);
    }
    return read;
}

StateDict read_npz(const std::string& path, CallSite site) {
    constexpr std::string_view ending = ".npy";
    const Zip zip(path, site);
    StateDict state;
    for (const ZipEntry& entry : zip.entries()) {
        const std::string name = in_quotes(path) + ": " + in_quotes(entry.name);
        if (!entry.name.ends_with(ending)) fail_runtime("npz", site, name, " is not a .npy file");
        // The header is looked at first: what it does not ask for is not unpacked.
        const std::string begin = zip.beginning(entry, longest_npy_header + 12);
        const NpyHeader header = checked_header(begin, entry.size, name, site);
        state.add_shared(entry.name.substr(0, entry.name.size() - ending.size()),
                         tensor_of(header, zip.bytes(entry), site), site);
    }
    return state;
}

}}  // namespace heed
