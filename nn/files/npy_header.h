// NpyHeader: what the beginning of a .npy file says of the numbers after it.
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html)
#pragma once

#include "../../tensor/shape.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

struct NpyHeader {
    std::string dtype;  // as NumPy writes it: "<f4"
    char kind;          // its letter: f, i, u, or b for true and false
    std::size_t bytes;  // of a number
    bool is_big_endian;
    bool is_fortran;  // the first axis varies fastest
    Shape shape;
    std::size_t length;  // of the header

    std::size_t file_size() const {
        return length + static_cast<std::size_t>(shape.numel()) * bytes;
    }
};

// NumPy's own limit, without the first 12 bytes. (The headers of arrays of numbers have about 100.)
inline constexpr std::size_t longest_npy_header = 10'000;

// `begin` is the beginning of the file, or all of it. `name` stands in messages: "x.npy", in
// quotes. Errors (std::runtime_error): it is not a .npy file, or is cut off; a version other than 1
// to 3; a header that NumPy would not write; numbers of a type that is not read, which is named; a
// shape of more than eight axes, or of more numbers than memory can hold.
NpyHeader npy_header(std::string_view begin, const std::string& name, const CallSite& site);

}}  // namespace heed
