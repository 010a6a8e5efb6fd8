// Numbers as files have them: little-endian, of types that heed does not compute with.
#pragma once

#include "../../tensor/scalar.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// How many bytes a number of this type takes, as safetensors names it ("BF16"); 0: no such type.
std::size_t stored_bytes(std::string_view dtype);
// n numbers -> Scalars, rounded to the nearest.
void read_stored(std::string_view dtype, const std::byte* from, std::int64_t n, Scalar* to);
// n Scalars -> F64, F32, F16 or BF16.
void write_stored(std::string_view dtype, const Scalar* from, std::int64_t n, std::byte* to);

}}  // namespace heed
