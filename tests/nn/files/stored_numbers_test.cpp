// Numbers of 16 bits and others: every half and every bfloat by its definition, and rounding.
#include "nn/files/stored_numbers.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace heed;

namespace {
double read_word(const char* dtype, std::uint16_t word) {
    std::byte bytes[2];
    std::memcpy(bytes, &word, 2);
    Scalar number = 0;
    read_stored(dtype, bytes, 1, &number);
    return static_cast<double>(number);
}

std::uint16_t written_word(const char* dtype, double x) {
    const Scalar number = static_cast<Scalar>(x);
    std::byte bytes[2];
    write_stored(dtype, &number, 1, bytes);
    std::uint16_t word = 0;
    std::memcpy(&word, bytes, 2);
    return word;
}

// (-1)^s · 2^(e - bias) · 1.f, or 0.f with the smallest exponent where e is 0
double by_definition(int word, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1, most = (1 << exponent_bits) - 1;
    const int exponent = word >> fraction_bits & most, fraction = word & ((1 << fraction_bits) - 1);
    const double sign = word >> 15 ? -1 : 1, unit = std::ldexp(1.0, -fraction_bits);
    if (exponent == most) return fraction == 0 ? sign * INFINITY : NAN;
    if (exponent == 0) return sign * std::ldexp(fraction * unit, 1 - bias);
    return sign * std::ldexp(1 + fraction * unit, exponent - bias);
}

struct Format {
    const char* dtype;
    int exponent_bits, fraction_bits;
};
constexpr Format formats[] = {{"F16", 5, 10}, {"BF16", 8, 7}};

}  // namespace

TEST_CASE("every number of 16 bits is read by its definition, and written as it was",
          "[nn][files][numbers]") {
    for (const Format& format : formats) {
        int wrong = 0;
        for (int word = 0; word < 1 << 16; ++word) {
            const std::uint16_t bits = static_cast<std::uint16_t>(word);
            const double expected = by_definition(word, format.exponent_bits, format.fraction_bits);
            const double read = read_word(format.dtype, bits);
            if (expected != expected) {
                wrong += read == read ||
                         !std::isnan(read_word(format.dtype, written_word(format.dtype, read)));
                continue;
            }
            wrong += !(read == expected) || std::signbit(read) != std::signbit(expected);
            wrong += written_word(format.dtype, read) != bits;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("numbers are rounded to the nearest of 16 bits, halfway to even",
          "[nn][files][numbers]") {
    for (const Format& format : formats) {
        const int infinite = ((1 << format.exponent_bits) - 1) << format.fraction_bits;
        int wrong = 0;
        for (int word = 0; word + 1 < infinite; ++word) {
            const double below = by_definition(word, format.exponent_bits, format.fraction_bits);
            const double above =
                by_definition(word + 1, format.exponent_bits, format.fraction_bits);
            const double middle = (below + above) / 2;
            const int even = word % 2 == 0 ? word : word + 1;
            const Scalar less = std::nextafter(static_cast<Scalar>(middle), Scalar(0));
            const Scalar more = std::nextafter(static_cast<Scalar>(middle), Scalar(INFINITY));
            wrong += static_cast<double>(static_cast<Scalar>(middle)) == middle &&
                     written_word(format.dtype, middle) != even;
            wrong += static_cast<double>(less) >= below &&
                     written_word(format.dtype, static_cast<double>(less)) != word;
            wrong += written_word(format.dtype, static_cast<double>(more)) != word + 1;
            wrong += written_word(format.dtype, -static_cast<double>(more)) != (word + 1) + 0x8000;
        }
        CHECK(wrong == 0);
        const double largest =
            by_definition(infinite - 1, format.exponent_bits, format.fraction_bits);
        CHECK(written_word(format.dtype, largest * 1.0001) == infinite - 1);
        CHECK(written_word(format.dtype, std::numeric_limits<Scalar>::max()) == infinite);
        CHECK(written_word(format.dtype, std::numeric_limits<Scalar>::denorm_min()) == 0);
    }
}

TEST_CASE("integers, booleans, float and double are read as numbers", "[nn][files][numbers]") {
    const std::byte bytes[16] = {std::byte{0xFE}, std::byte{0xFF}, std::byte{0xFF},
                                 std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF},
                                 std::byte{0xFF}, std::byte{0xFF}};
    const auto first = [&](const char* dtype) {
        Scalar number = 0;
        read_stored(dtype, bytes, 1, &number);
        return static_cast<double>(number);
    };
    CHECK(first("I8") == -2);
    CHECK(first("I16") == -2);
    CHECK(first("I32") == -2);
    CHECK(first("I64") == -2);
    CHECK(first("U8") == 254);
    CHECK(first("U16") == 65534);
    CHECK(first("U32") == static_cast<double>(static_cast<Scalar>(4294967294.0)));
    CHECK(first("BOOL") == 1);
    for (const char* dtype : {"F32", "F64"}) {
        const Scalar given[] = {0, Scalar(-1.5), Scalar(0.1f),
                                std::numeric_limits<Scalar>::infinity()};
        std::vector<std::byte> written(4 * stored_bytes(dtype));
        write_stored(dtype, given, 4, written.data());
        Scalar read[4];
        read_stored(dtype, written.data(), 4, read);
        for (int i = 0; i < 4; ++i) CHECK(read[i] == given[i]);
    }
}

TEST_CASE("a name that is no stored type's is refused", "[nn][files]") {
    Scalar number = 5;
    std::byte bytes[8] = {};
    const std::shared_ptr<std::byte> shared(std::make_shared<std::byte>(), bytes);
    const auto refused = [](const char* start, auto call) {
        CHECK(message_of<std::invalid_argument>(call) == start);
    };
    // Under a Turkish locale std::toupper('i') is not 'I'.
    CHECK_FALSE(is_stored_type("i64"));
    CHECK(is_stored_type("I64"));
    refused("stored_bytes: \"F8\" is not a type of numbers in files", [] { stored_bytes("F8"); });
    refused("stored_bytes: \"\" is not a type of numbers in files", [] { stored_bytes(""); });
    refused("read_stored: \"i64\" is not a type of numbers in files",
            [&] { read_stored("i64", bytes, 1, &number); });
    refused("stored_tensor: \"i64\" is not a type of numbers in files",
            [&] { stored_tensor("i64", shared, {1}); });
    refused("write_stored: \"I64\" cannot be written; F64, F32, F16 and BF16 can",
            [&] { write_stored("I64", &number, 1, bytes); });
    CHECK(number == 5);
}
