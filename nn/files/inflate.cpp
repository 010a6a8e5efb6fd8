#include "inflate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace heed { inline namespace HEED_PRECISION {
namespace {
struct Broken {
    std::string_view why;
};

// The bits of the stream, those of a byte from the lowest up.
class Bits {
  public:
    explicit Bits(std::string_view bytes) : bytes_(bytes) {}

    // The next bits, at least 48 of them unless the stream ends; behind its end there are zeros.
    std::uint64_t ahead() {
        while (count_ < 56 && at_ < bytes_.size()) {
            bits_ |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << count_;
            count_ += 8;
        }
        return bits_;
    }
    void skip(int n) {
        if (n > count_) throw Broken{"it is cut off"};
        bits_ >>= n;
        count_ -= n;
    }
    unsigned take(int n) {
        const auto taken = static_cast<unsigned>(ahead() & ((1u << n) - 1));
        skip(n);
        return taken;
    }

    // Whole bytes, which begin at the next byte's border.
    std::string_view bytes(std::size_t n) {
        at_ -= static_cast<std::size_t>(count_ / 8);
        bits_ = 0;
        count_ = 0;
        if (n > bytes_.size() - at_) throw Broken{"it is cut off"};
        at_ += n;
        return bytes_.substr(at_ - n, n);
    }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    int count_ = 0;
};

// A Huffman code, given by the length of each symbol's code; 0: the symbol is not used. Codes of a
// length are consecutive numbers, in the order of their symbols.
class Code {
  public:
    Code(const std::uint8_t* lengths, int symbols) {
        for (int i = 0; i < symbols; ++i) ++count_[lengths[i]];
        count_[0] = 0;
        int next[longest + 1] = {}, place[longest + 1] = {};
        for (int length = 1; length <= longest; ++length) {
            first_[length] = next[length] = (first_[length - 1] + count_[length - 1]) * 2;
            place_[length] = place[length] = place_[length - 1] + count_[length - 1];
            if (first_[length] + count_[length] > 1 << length) {
                throw Broken{"a code has more symbols than there is room for"};
            }
        }
        for (int i = 0; i < symbols; ++i) {
            const int length = lengths[i];
            if (length == 0) continue;
            symbols_[place[length]++] = static_cast<std::uint16_t>(i);
            remember(i, length, next[length]++);
        }
    }

    int symbol(Bits& bits) const {
        std::uint64_t ahead = bits.ahead();
        const Known known = known_[ahead % known_.size()];
        if (known.length > 0) {
            bits.skip(known.length);
            return known.symbol;
        }
        int code = 0;
        for (int length = 1; length <= longest; ++length, ahead >>= 1) {
            code = code * 2 + static_cast<int>(ahead & 1);
            if (code < first_[length] + count_[length]) {
                bits.skip(length);
                return symbols_[place_[length] + code - first_[length]];
            }
        }
        throw Broken{"a code stands for no symbol"};
    }

  private:
    static constexpr int longest = 15, longest_known = 10;
    struct Known {
        std::uint16_t symbol = 0;
        std::uint8_t length = 0;
    };

    // A short code is found at once, whatever bits follow it. The stream has its first bit lowest.
    void remember(int symbol, int length, int code) {
        if (length > longest_known) return;
        std::size_t turned = 0;
        for (int bit = 0; bit < length; ++bit) turned = turned * 2 + (code >> bit & 1);
        for (std::size_t i = turned; i < known_.size(); i += std::size_t{1} << length) {
            known_[i] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(length)};
        }
    }

    int count_[longest + 1] = {}, first_[longest + 1] = {}, place_[longest + 1] = {};
    std::uint16_t symbols_[288] = {};
    std::array<Known, 1 << longest_known> known_ = {};
};

struct Codes {
    Code literals, distances;
};

Codes fixed_codes() {
    std::uint8_t lengths[288], distances[30];
    for (int i = 0; i < 288; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    std::fill_n(distances, 30, std::uint8_t{5});
    return {Code(lengths, 288), Code(distances, 30)};
}

// The lengths of both codes' codes, which are written in a third code.
Codes read_codes(Bits& bits) {
    constexpr int order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const int literals = static_cast<int>(bits.take(5)) + 257;
    const int distances = static_cast<int>(bits.take(5)) + 1;
    const int count = static_cast<int>(bits.take(4)) + 4;
    if (literals > 286 || distances > 30) throw Broken{"a code has symbols that mean nothing"};
    std::uint8_t of_lengths[19] = {}, lengths[286 + 30] = {};
    for (int i = 0; i < count; ++i) of_lengths[order[i]] = static_cast<std::uint8_t>(bits.take(3));
    const Code code(of_lengths, 19);
    for (int i = 0; i < literals + distances;) {
        const int symbol = code.symbol(bits);
        int times = 1;
        std::uint8_t length = static_cast<std::uint8_t>(symbol);
        if (symbol == 16 && i == 0)
            throw Broken{"the first code's length is that of the one before"};
        if (symbol >= 16) length = symbol == 16 ? lengths[i - 1] : std::uint8_t{0};
        if (symbol == 16) times = 3 + static_cast<int>(bits.take(2));
        if (symbol == 17) times = 3 + static_cast<int>(bits.take(3));
        if (symbol == 18) times = 11 + static_cast<int>(bits.take(7));
        if (i + times > literals + distances) throw Broken{"there are more lengths than codes"};
        std::fill_n(lengths + i, times, length);
        i += times;
    }
    return {Code(lengths, literals), Code(lengths + literals, distances)};
}

// What was written so far, from which matches are copied.
class Output {
  public:
    Output(std::byte* to, std::size_t size) : to_(to), size_(size) {}

    std::size_t room() const { return size_ - at_; }
    void append(std::byte byte) { to_[at_++] = byte; }
    void append(std::string_view bytes) {
        if (!bytes.empty()) std::memcpy(to_ + at_, bytes.data(), bytes.size());
        at_ += bytes.size();
    }
    // The same bytes as `distance` before, and what these become.
    void repeat(std::size_t distance, std::size_t length) {
        if (distance > at_) throw Broken{"it repeats bytes from before its beginning"};
        for (std::size_t i = 0; i < length; ++i, ++at_) to_[at_] = to_[at_ - distance];
    }

  private:
    std::byte* to_;
    std::size_t size_, at_ = 0;
};

class Inflater {
  public:
    Inflater(std::string_view packed, std::byte* to, std::size_t size, InflatePart part)
        : bits_(packed), output_(to, size), part_(part) {}

    void run() {
        static const Codes fixed = fixed_codes();
        bool is_last = false;
        while (!is_last && !is_done()) {
            is_last = bits_.take(1) == 1;
            const unsigned kind = bits_.take(2);
            if (kind == 3) throw Broken{"a block is of an unknown kind"};
            if (kind == 0) as_they_are();
            if (kind == 1) coded(fixed);
            if (kind == 2) coded(read_codes(bits_));
        }
        if (output_.room() > 0) throw Broken{"it stands for fewer bytes than it should"};
    }

  private:
    bool is_done() const { return part_ == InflatePart::beginning && output_.room() == 0; }

    // How many of n bytes are written.
    std::size_t fitting(std::size_t n) const {
        if (n > output_.room() && part_ == InflatePart::all) {
            throw Broken{"it stands for more bytes than it should"};
        }
        return std::min(n, output_.room());
    }

    void as_they_are() {
        const std::string_view lengths = bits_.bytes(4);
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(lengths[i]); };
        if ((byte(0) ^ byte(2)) != 0xFF || (byte(1) ^ byte(3)) != 0xFF) {
            throw Broken{"a block's length is not what its check says"};
        }
        const std::size_t n = byte(0) + std::size_t{256} * byte(1);
        output_.append(bits_.bytes(n).substr(0, fitting(n)));
    }

    void coded(const Codes& codes) {
        constexpr int lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
        constexpr int length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
        constexpr int distances[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
        while (!is_done()) {
            const int symbol = codes.literals.symbol(bits_);
            if (symbol == 256) return;
            if (symbol < 256) {
                if (fitting(1) == 1) output_.append(static_cast<std::byte>(symbol));
                continue;
            }
            if (symbol > 285) throw Broken{"a symbol stands for no length"};
            const unsigned length = static_cast<unsigned>(lengths[symbol - 257]) +
                                    bits_.take(length_bits[symbol - 257]);
            const int far = codes.distances.symbol(bits_);
            const unsigned distance =
                static_cast<unsigned>(distances[far]) + bits_.take(far < 2 ? 0 : far / 2 - 1);
            output_.repeat(distance, fitting(length));
        }
    }

    Bits bits_;
    Output output_;
    InflatePart part_;
};

}  // namespace

std::string_view inflate(std::string_view packed, std::byte* to, std::size_t size,
                         InflatePart part) {
    try {
        Inflater(packed, to, size, part).run();
    } catch (const Broken& broken) {
        return broken.why;
    }
    return "";
}

}}  // namespace heed
