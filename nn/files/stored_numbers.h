// Numbers as files have them: little-endian, of types that heed does not compute with.
#pragma once

#include "../../tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// Is this the name of a type, as safetensors writes it ("BF16")? The functions below refuse any
// other name (std::invalid_argument).
bool is_stored_type(std::string_view dtype);
// The number of bytes that a number of this type takes.
std::size_t stored_bytes(std::string_view dtype, CallSite site = CallSite::here());
// n numbers -> Scalars, rounded to the nearest.
void read_stored(std::string_view dtype, const std::byte* from, std::int64_t n, Scalar* to,
                 CallSite site = CallSite::here());
// The numbers from `from` on, row by row, as a tensor. Where they are Scalars already, and aligned,
// nothing is copied: the tensor lies there and keeps `from` alive.
Tensor stored_tensor(std::string_view dtype, const std::shared_ptr<std::byte>& from,
                     const Shape& shape, CallSite site = CallSite::here());
// n Scalars -> F64, F32, F16 or BF16; no other type is written.
void write_stored(std::string_view dtype, const Scalar* from, std::int64_t n, std::byte* to,
                  CallSite site = CallSite::here());

}}  // namespace heed
