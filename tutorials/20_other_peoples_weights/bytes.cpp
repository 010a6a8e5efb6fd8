// Lesson 20: a file of weights, byte by byte (20.3).
#include "nn/files/json.h"
#include "nn/heed.h"
#include "tutorials/20_other_peoples_weights/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <bit>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

int byte_at(const FileBytes& file, std::size_t at) { return std::to_integer<int>(file.data()[at]); }

// The lowest first.
std::uint64_t little_endian(const FileBytes& file, std::size_t at, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; --i)
        value = 256 * value +
                static_cast<std::uint64_t>(byte_at(file, at + static_cast<std::size_t>(i)));
    return value;
}

std::string bits_of(std::uint64_t number, int from, int count) {
    std::string bits;
    for (int i = from; i > from - count; --i) bits += (number >> i & 1) ? '1' : '0';
    return bits;
}

// (-1)^sign · 2^(exponent - 127) · (1 + fraction / 2^23)
double decoded(std::uint64_t bits) {
    const double sign = bits >> 31 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 23 & 0xFF);
    const double fraction = static_cast<double>(bits & 0x7FFFFF) / 8388608;
    return std::ldexp(sign * (1 + fraction), exponent - 127);
}

void print_number(const FileBytes& file, std::size_t at) {
    const std::uint64_t bits = little_endian(file, at, 4);
    std::string bytes;
    for (std::size_t i = 0; i < 4; ++i)
        bytes += (i > 0 ? " " : "") + std::to_string(byte_at(file, at + i));
    std::cout << tutorial::fit(bytes, 16) << bits_of(bits, 31, 1) << " " << bits_of(bits, 30, 8)
              << " " << bits_of(bits, 22, 23) << "  " << (bits >> 31 ? "-" : " ") << "2^"
              << static_cast<int>(bits >> 23 & 0xFF) - 127 << " · "
              << fixed(1 + static_cast<double>(bits & 0x7FFFFF) / 8388608, 9) << " = "
              << fixed(decoded(bits), 1) << "\n";
}

StateDict few_weights() {
    StateDict state;
    state.add("wte.weight", tensor::of({{-6.5, 0.1}, {3, -0.2}, {1e-6, 1024}}));
    state.add("wpe.weight", tensor::of({{0.3, 0.5}, {0.7, 0.9}}));
    state.add("ln_f.weight", tensor::of({1, 1}));
    state.add("ln_f.bias", tensor::of({0, 0}));
    return state;
}

// The upper half of a float's bits, rounded to the nearest, and to the even one of two.
std::uint64_t upper_half(std::uint64_t bits) {
    const std::uint64_t even = bits >> 16 & 1;
    return (bits + 0x7FFF + even) >> 16;
}

void as_bf16(const Files& files, const FileBytes& file, std::size_t numbers) {
    say("Published weights are often BF16: the upper two of these four bytes, rounded. All of the "
        "range is kept, and 8 of 24 binary digits. 0.1 is then:");
    const std::string path = files.path("bf16.safetensors");
    write_safetensors(path, few_weights(), {.type = StoredType::bf16});
    const FileBytes half(path);
    const std::size_t first = 8 + little_endian(half, 0, 8);
    bool same_halves = true;
    for (std::size_t i = 0; i < 6; ++i) {
        same_halves = same_halves && upper_half(little_endian(file, numbers + 4 * i, 4)) ==
                                         little_endian(half, first + 2 * i, 2);
    }
    const std::uint64_t tenth = little_endian(half, first + 2, 2);
    std::cout << "    F32   " << bits_of(little_endian(file, numbers + 4, 4), 31, 16) << " "
              << bits_of(little_endian(file, numbers + 4, 4), 15, 16) << "   0.100000001\n";
    std::cout << "    BF16  " << bits_of(tenth, 15, 16) << "                    "
              << fixed(decoded(tenth << 16), 9) << "\n\n";
    check(same_halves, "a BF16 number is the upper half of the F32 one, rounded to the nearest");
    const Tensor exact = few_weights().at("wte.weight");
    const Tensor back = read_safetensors(path).at("wte.weight");
    const Tensor error = tensor::abs(back - exact) / tensor::abs(exact);
    const double largest = static_cast<double>(tensor::max(error).item());
    check(largest > 0 && largest <= 1.0 / 512, "so a weight is off by at most one part in 512");
}

}  // namespace

void by_bytes(const Files& files) {
    section("20.3 A file of weights, byte by byte");
    say("Most published weights are safetensors files: eight bytes, a text, and numbers. A small "
        "one, with four names as GPT-2 has them:");
    const std::string path = files.path("few.safetensors");
    write_safetensors(path, few_weights());
    const FileBytes file(path);
    const std::uint64_t header = little_endian(file, 0, 8);
    std::cout << "bytes 0 to 7: ";
    for (std::size_t i = 0; i < 8; ++i) std::cout << " " << byte_at(file, i);
    std::cout << "\n\n";
    tutorial::predict_number("The first byte counts ones, the second 256s, and so on. How long is "
                             "the text that follows?",
                             static_cast<double>(header), 0,
                             "The lowest byte comes first: little-endian.");
    std::cout << "They are the number " << byte_at(file, 0) << " + " << byte_at(file, 1)
              << "·256 = " << header << ", the length of the text (JSON):\n\n";
    std::string text(file.text().substr(8, header));
    for (std::size_t end = 0; (end = text.find("},")) != std::string::npos;) {
        std::cout << "    " << text.substr(0, end + 2) << "\n";
        text = text.substr(end + 2);
    }
    const std::size_t length = text.find_last_not_of(' ') + 1;
    std::cout << "    " << text.substr(0, length) << "\n\n";
    say("then " + std::to_string(text.size() - length) +
        " blanks, so that the numbers begin at a multiple of 8. data_offsets count bytes from "
        "there, [begin, end). The first two numbers of wte.weight are bytes, lowest first, and "
        "together one sign, eight digits of the exponent, 23 of the fraction:");
    const std::size_t numbers = 8 + header;
    const StateDict read = read_safetensors(path);
    const Tensor wte = read.at("wte.weight");
    stop("20.3 the numbers", {{"wte", wte}});
    const Json json = Json::parse(file.text().substr(8, header), path);
    const std::int64_t begin =
        json.at("wte.weight").at("data_offsets").items("data_offsets")[0].whole("begin");
    const std::size_t first = numbers + static_cast<std::size_t>(begin);
    std::cout << "bytes           s exponent fraction                 value\n";
    print_number(file, first);
    print_number(file, first + 4);
    std::cout << "\n";
    bool same_numbers = true;
    for (std::size_t i = 0; i < 6; ++i) {
        const std::int64_t row = static_cast<std::int64_t>(i) / 2,
                           column = static_cast<std::int64_t>(i) % 2;
        same_numbers =
            same_numbers &&
            static_cast<Scalar>(decoded(little_endian(file, first + 4 * i, 4))) == wte(row, column);
    }
    check(same_numbers,
          "decoded by hand, all six numbers of wte.weight are what read_safetensors() "
          "reads");
    std::uint64_t bytes = 0;
    for (const StateDict::Entry& entry : read)
        bytes += 4 * static_cast<std::uint64_t>(entry.value.numel());
    check(numbers % 8 == 0 && file.size() == numbers + bytes,
          "eight bytes, the text, and four for each number: nothing else is in the file");
    as_bf16(files, file, first);
}
