// What Unicode says of characters, by its standard's own examples, and the letters of bytes.
#include "nn/text/unicode.h"

#include "nn/text/byte_level_bpe.h"
#include "tests/catch.h"

using namespace heed;

namespace {
using Codes = std::vector<std::uint32_t>;

std::string lower(std::string_view text) {
    Codes codes;
    for (const std::uint32_t code : codes_of(text)) append_lower_case(code, codes);
    std::string made;
    for (const std::uint32_t code : codes) append_utf8(code, made);
    return made;
}

}  // namespace

TEST_CASE("characters have Unicode's classes", "[nn][unicode]") {
    const auto all_are = [](const Codes& codes, CharacterClass its) {
        for (const std::uint32_t code : codes) {
            INFO(code);
            CHECK(class_of(code) == its);
        }
    };
    all_are({'a', 'Z', 0xAA, 0xE9, 0x2B0, 0x3A9, 0x4E00, 0x9FFF, 0xAC00, 0x1F88, 0x20000},
            CharacterClass::letter);
    all_are({'0', '9', 0xB2, 0xBD, 0x660, 0x2160, 0x3007, 0x1D7CE}, CharacterClass::number);
    all_are({0x300, 0x301, 0x5B0, 0x94D, 0x20DD - 0x0D, 0xFE0F, 0xE0100}, CharacterClass::mark);
    all_are({'!', '_', '}', 0xA1, 0x2014, 0x3001, 0x203F}, CharacterClass::punctuation);
    all_are({'\t', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2003, 0x2028, 0x3000}, CharacterClass::space);
    all_are({0, 0x1B, 0x7F, 0xAD, 0x200B, 0x200D, 0xFEFF, 0xE000, 0x378, 0x10FFFF, 0x110041},
            CharacterClass::control);
    all_are({'$', '+', '`', '~', 0xA9, 0x20AC, 0x903, 0x20DD, 0x1F642, 0xFFFD},
            CharacterClass::other);
}

TEST_CASE("lower case is Unicode's, character by character", "[nn][unicode]") {
    CHECK(lower("ABC xyz 1") == "abc xyz 1");
    CHECK(lower("ÀÖØÞ×ß") == "àöøþ×ß");
    CHECK(lower("ĀāĿŹŸ") == "āāŀźÿ");
    CHECK(lower("ΣΑΣ Ж Ա") == "σασ ж ա");
    CHECK(lower("ǅ Ω ẞ K") == "ǆ ω ß k");
    CHECK(lower("İ") == "i\u0307");
    CHECK(lower("\U00010400\U0001E900") == "\U00010428\U0001E922");
}

TEST_CASE("characters are decomposed and composed as Unicode's normal forms say", "[nn][unicode]") {
    CHECK(decomposed({0xC5}) == Codes{'A', 0x30A});
    CHECK(decomposed({0x212B}) == Codes{'A', 0x30A});
    CHECK(decomposed({0x1E69}) == Codes{'s', 0x323, 0x307});
    CHECK(decomposed({0x1E0B, 0x323}) == Codes{'d', 0x323, 0x307});
    CHECK(decomposed({'q', 0x307, 0x323}) == Codes{'q', 0x323, 0x307});
    CHECK(decomposed({0xFB01, 'x'}) == Codes{0xFB01, 'x'});  // only compatible
    CHECK(decomposed({0xD55C, 0xAE00}) == Codes{0x1112, 0x1161, 0x11AB, 0x1100, 0x1173, 0x11AF});
    CHECK(decomposed({0xAC00}) == Codes{0x1100, 0x1161});
    CHECK(decomposed({0x2F800}) == Codes{0x4E3D});
    CHECK(decomposed({0x1D15E}) == Codes{0x1D157, 0x1D165});

    const auto nfc = [](const Codes& codes) { return composed(decomposed(codes)); };
    CHECK(nfc({'A', 0x30A}) == Codes{0xC5});
    CHECK(nfc({0x212B}) == Codes{0xC5});
    CHECK(nfc({'s', 0x307, 0x323}) == Codes{0x1E69});
    CHECK(nfc({'d', 0x307, 0x323}) == Codes{0x1E0D, 0x307});
    CHECK(nfc({'q', 0x307, 0x323}) == Codes{'q', 0x323, 0x307});
    CHECK(nfc({0x958}) == Codes{0x915, 0x93C});  // excluded from composition
    CHECK(nfc({0x1112, 0x1161, 0x11AB}) == Codes{0xD55C});
    CHECK(nfc({0xAC00, 0x11A8}) == Codes{0xAC01});
    CHECK(nfc({0xAC00, 0x11A7}) == Codes{0xAC00, 0x11A7});
    CHECK(nfc({0x1100, 0x300, 0x1161}) == Codes{0x1100, 0x300, 0x1161});
    CHECK(nfc({0x9C7, 0x9BE}) == Codes{0x9CB});
    CHECK(nfc({0x301, 'e', 0x301}) == Codes{0x301, 0xE9});
    CHECK(nfc({'e', 0x301, 'e', 0x301}) == Codes{0xE9, 0xE9});
    CHECK(nfc({'a', 0x334, 0x301}) == Codes{0xE1, 0x334});
    CHECK(nfc({'a', 0x315, 0x315, 0x300}) == Codes{0xE0, 0x315, 0x315});
    CHECK(nfc({'a', 0x305, 0x301}) == Codes{'a', 0x305, 0x301});  // the first stands between
    CHECK(nfc({}) == Codes{});
}

TEST_CASE("bytes that are no characters stay what they are", "[nn][unicode]") {
    const std::string bytes = "a\xFF\xC3\xA9\xE2\x82\xF0\x9F\x99\x82\xED\xA0\x80";
    const Codes codes = codes_of(bytes);
    CHECK(codes == Codes{'a', not_a_character + 0xFF, 0xE9, not_a_character + 0xE2,
                         not_a_character + 0x82, 0x1F642, not_a_character + 0xED,
                         not_a_character + 0xA0, not_a_character + 0x80});
    std::string back;
    for (const std::uint32_t code : composed(decomposed(codes))) append_utf8(code, back);
    CHECK(back == bytes);
}

TEST_CASE("bytes are written with GPT-2's letters", "[nn][tokenizer]") {
    CHECK(byte_letter(' ') == "Ġ");
    CHECK(byte_letter('\n') == "Ċ");
    CHECK(byte_letter(0) == "Ā");
    CHECK(byte_letter('A') == "A");
    CHECK(byte_letter(0xAD) == "Ń");
    CHECK(byte_letter(0xA0) == "ł");
    CHECK(byte_letter(0xE9) == "é");
    CHECK(letters_of("é a") == "Ã©Ġa");
    CHECK(bytes_of("Ã©Ġa") == "é a");
    CHECK(bytes_of("a b\u4e16") == "a b\u4e16");  // no such letters
    for (int byte = 0; byte < 256; ++byte) {
        const std::string one(1, static_cast<char>(byte));
        CHECK(bytes_of(letters_of(one)) == one);
    }
}
