// Numbers as files have them: little-endian, of types that heed does not compute with.
#pragma once

#include "../../tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// How many bytes a number of this type takes, as safetensors names it ("BF16"); 0: no such type.
std::size_t stored_bytes(std::string_view dtype);
// n numbers -> Scalars, rounded to the nearest.
void read_stored(std::string_view dtype, const std::byte* from, std::int64_t n, Scalar* to);
// The numbers from `from` on, row by row, as a tensor. Where they are Scalars already, and aligned,
// nothing is copied: the tensor lies there and keeps `from` alive.
Tensor stored_tensor(std::string_view dtype, const std::shared_ptr<std::byte>& from,
                     const Shape& shape, CallSite site = CallSite::here());
// n Scalars -> F64, F32, F16 or BF16.
void write_stored(std::string_view dtype, const Scalar* from, std::int64_t n, std::byte* to);

}}  // namespace heed
