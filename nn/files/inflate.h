// inflate(): what a deflate stream stands for (RFC 1951), as the files inside a zip file are
// packed.
#pragma once

#include "../../tensor/scalar.h"

#include <cstddef>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// A byte of a deflate stream stands for at most 1032: 258 equal ones in two bits.
inline constexpr std::size_t most_inflated = 1032;

enum class InflatePart { all, beginning };

// Writes `size` bytes to `to`: all that the stream stands for, or its beginning. Returns what is
// wrong with the stream, or "": it is broken, cut off, or stands for more or fewer bytes. Nothing
// is allocated.
std::string_view inflate(std::string_view packed, std::byte* to, std::size_t size,
                         InflatePart part = InflatePart::all);

}}  // namespace heed
