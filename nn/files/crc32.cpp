#include "crc32.h"

#include <array>
#include <cstddef>

namespace heed { inline namespace HEED_PRECISION {
namespace {
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

}}  // namespace heed
