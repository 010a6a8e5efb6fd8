#include "stored_numbers.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../../tensor/storage.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The lower bits of `value` are rounded away, to the nearest and, halfway, to even.
std::uint64_t shifted(std::uint64_t value, int bits) {
    const std::uint64_t one = 1, half = one << (bits - 1), rest = value & ((one << bits) - 1);
    const std::uint64_t kept = value >> bits;
    const bool up = rest > half || (rest == half && (kept & 1) != 0);
    return kept + (up ? 1 : 0);
}

float from_half(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half} >> 15 << 31, exponent = half >> 10 & 31;
    const std::uint32_t fraction = half & 0x3FF;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7F800000 | fraction << 13);
    if (exponent > 0)
        return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
    const float tiny = static_cast<float>(fraction) * 0x1p-24f;  // exact
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(std::uint32_t, tiny));
}

// A sign, an exponent and `fraction_bits` of fraction, in 16 bits. From double, so that a number is
// rounded once, whichever Scalar it was.
template <int fraction_bits>
std::uint16_t to_16_bits(double x) {
    constexpr int bias = (1 << (14 - fraction_bits)) - 1, dropped = 52 - fraction_bits;
    constexpr std::uint64_t infinite = (std::uint64_t{1} << 15) - (1 << fraction_bits);
    const std::uint64_t word = __builtin_bit_cast(std::uint64_t, x), magnitude = word << 1 >> 1;
    const std::uint64_t sign = word >> 63 << 15;
    if (x != x) return static_cast<std::uint16_t>(sign | infinite | 1 << (fraction_bits - 1));
    const std::int64_t exponent = static_cast<std::int64_t>(magnitude >> 52) - 1023;
    std::uint64_t bits = infinite;
    if (exponent < -bias - fraction_bits) {
        bits = 0;  // less than half the smallest
    } else if (exponent <= -bias) {
        const std::uint64_t fraction = (magnitude & ((std::uint64_t{1} << 52) - 1)) | 1ull << 52;
        bits = shifted(fraction, static_cast<int>(dropped + 1 - bias - exponent));
    } else if (exponent <= bias) {
        bits = shifted(magnitude - (std::uint64_t{1023 - bias} << 52), dropped);  // or infinite
    }
    return static_cast<std::uint16_t>(sign | bits);
}

template <class T>
T little_endian(const std::byte* from) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) {
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
            std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
        }
    }
    return __builtin_bit_cast(T, bytes);
}

template <class T>
void to_little_endian(T value, std::byte* to) {
    const auto turned = little_endian<T>(reinterpret_cast<const std::byte*>(&value));
    std::memcpy(to, &turned, sizeof(T));
}

template <class Number>
Number as_it_is(Number x) {
    return x;
}
float from_bfloat(std::uint16_t x) { return __builtin_bit_cast(float, std::uint32_t{x} << 16); }
bool is_true(std::uint8_t x) { return x != 0; }

// Stored is what lies in the file; `meaning` turns it into a number.
template <class Stored, auto meaning = as_it_is<Stored>>
void read_all(const std::byte* from, std::int64_t n, Scalar* to) {
    for (std::int64_t i = 0; i < n; ++i) {
        to[i] = static_cast<Scalar>(
            meaning(little_endian<Stored>(from + i * static_cast<std::int64_t>(sizeof(Stored)))));
    }
}

struct Type {
    std::string_view name;
    std::size_t bytes;
    void (*read)(const std::byte* from, std::int64_t n, Scalar* to);
};

constexpr Type types[] = {
    {"F64", 8, read_all<double>},
    {"F32", 4, read_all<float>},
    {"F16", 2, read_all<std::uint16_t, from_half>},
    {"BF16", 2, read_all<std::uint16_t, from_bfloat>},
    {"I64", 8, read_all<std::int64_t>},
    {"I32", 4, read_all<std::int32_t>},
    {"I16", 2, read_all<std::int16_t>},
    {"I8", 1, read_all<std::int8_t>},
    {"U64", 8, read_all<std::uint64_t>},
    {"U32", 4, read_all<std::uint32_t>},
    {"U16", 2, read_all<std::uint16_t>},
    {"U8", 1, read_all<std::uint8_t>},
    {"BOOL", 1, read_all<std::uint8_t, is_true>},
};

const Type* found(std::string_view dtype) {
    const Type* const type = std::find_if(std::begin(types), std::end(types),
                                          [&](const Type& one) { return one.name == dtype; });
    return type == std::end(types) ? nullptr : type;
}

const Type& type_of(const char* operation, std::string_view dtype, const CallSite& site) {
    if (const Type* const type = found(dtype)) return *type;
    fail_argument(operation, site, in_quotes(dtype), " is not a type of numbers in files");
}

}  // namespace

bool is_stored_type(std::string_view dtype) { return found(dtype) != nullptr; }

std::size_t stored_bytes(std::string_view dtype, CallSite site) {
    return type_of("stored_bytes", dtype, site).bytes;
}

void read_stored(std::string_view dtype, const std::byte* from, std::int64_t n, Scalar* to,
                 CallSite site) {
    type_of("read_stored", dtype, site).read(from, n, to);
}

Tensor stored_tensor(std::string_view dtype, const std::shared_ptr<std::byte>& from,
                     const Shape& shape, CallSite site) {
    const std::int64_t n = shape.numel();
    const Type& type = type_of("stored_tensor", dtype, site);
    const bool is_scalar = dtype == (sizeof(Scalar) == 4 ? "F32" : "F64") &&
                           std::endian::native == std::endian::little;
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(from.get()) % alignof(Scalar) == 0;
    if (is_scalar && is_aligned && n > 0) {
        const auto storage = Storage::over(reinterpret_cast<Scalar*>(from.get()), n, from);
        return Tensor(storage, 0, shape, contiguous_strides(shape));
    }
    Tensor read = Tensor::uninitialized(shape, site);
    if (n > 0) type.read(from.get(), n, read.writable_data());
    return read;
}

void write_stored(std::string_view dtype, const Scalar* from, std::int64_t n, std::byte* to,
                  CallSite site) {
    const auto all = [&](const auto& stored) {
        for (std::int64_t i = 0; i < n; ++i) {
            const auto number = stored(static_cast<double>(from[i]));
            to_little_endian(number, to + i * static_cast<std::int64_t>(sizeof(number)));
        }
    };
    if (dtype == "F64") return all([](double x) { return x; });
    if (dtype == "F32") return all([](double x) { return static_cast<float>(x); });
    if (dtype == "F16") return all(to_16_bits<10>);
    if (dtype == "BF16") return all(to_16_bits<7>);
    fail_argument("write_stored", site, in_quotes(dtype),
                  " cannot be written; F64, F32, F16 and BF16 can");
}

}}  // namespace heed
