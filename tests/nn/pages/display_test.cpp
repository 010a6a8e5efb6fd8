// Invisible characters are made visible, and columns are counted as a terminal counts them.
#include "tests/catch.h"

#include "nn/pages/display.h"

#include <sstream>
#include <utility>
#include <vector>

using namespace heed::terminal;

TEST_CASE("invisible characters are made visible", "[nn][display]") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "\"\""},
        {"word", "word"},
        {"two words", "two words"},
        {"   ", "␠␠␠"},
        {" the ", "␠the␠"},
        {std::string("\0", 1), "␀"},
        {"a\tb\n", "a␉b␊"},
        {"\x1b[31m", "␛[31m"},
        {"\x1f", "␟"},
        {"\x7f", "␡"},
        {"\xC2\x80\xC2\x9F", "<U+0080><U+009F>"},
        {"\xC2\xA0", "<U+00A0>"},
        {"\xC2\xAD", "<U+00AD>"},
        {"a\xE2\x80\x8B", "a<U+200B>"},
        {"\xE2\x80\x8F", "<U+200F>"},
        {"\xE2\x80\xAA\xE2\x80\xAE", "<U+202A><U+202E>"},
        {"\xE2\x81\xA6\xE2\x81\xA9", "<U+2066><U+2069>"},
        {"\xEF\xBB\xBF", "<U+FEFF>"},
        {"\xF3\xA0\x80\xA0", "<U+E0020>"},
        {"\xCC\x81x", "◌\xCC\x81x"},
        {"\xFFz", "<0xFF>z"},
        {"ñandú", "ñandú"},
    };
    for (const auto& [text, expected] : cases) CHECK(visible(text) == expected);
}

TEST_CASE("bytes that are not UTF-8 are shown one by one", "[nn][display]") {
    CHECK(visible("\xC3") == "<0xC3>");                                // truncated
    CHECK(visible("\xC3(") == "<0xC3>(");                              // not continued
    CHECK(visible("\x80") == "<0x80>");                                // continues nothing
    CHECK(visible("\xC0\x80") == "<0xC0><0x80>");                      // overlong
    CHECK(visible("\xE0\x9F\xBF") == "<0xE0><0x9F><0xBF>");            // overlong
    CHECK(visible("\xF0\x8F\xBF\xBF") == "<0xF0><0x8F><0xBF><0xBF>");  // overlong
    CHECK(visible("\xED\xA0\x80") == "<0xED><0xA0><0x80>");            // a surrogate
    CHECK(visible("\xF4\x90\x80\x80") == "<0xF4><0x90><0x80><0x80>");  // above U+10FFFF
    CHECK(visible("\xF8\x88\x80\x80\x80") == "<0xF8><0x88><0x80><0x80><0x80>");
    CHECK(visible("\xF0\x9F\x98") == "<0xF0><0x9F><0x98>");  // a truncated emoji
    CHECK(display_width("\xC3") == 1);
}

TEST_CASE("wide characters take two columns and combining marks none", "[nn][display]") {
    const std::vector<std::pair<std::string, std::size_t>> cases = {
        {"", 0},     {"word", 4},         {"ñandú", 5}, {"e\xCC\x81", 1}, {"注意", 4},
        {"한국", 4}, {"ｗ", 2},           {"😀a", 3},    {"·∂ᵀ√", 4},      {"⚡", 2},
        {"☀", 1},    {"\xE2\x80\x8B", 0}, {"שָׁ", 1},     {"𠀀", 2},        {"\n", 0},
    };
    for (const auto& [text, width] : cases) {
        INFO(text);
        CHECK(display_width(text) == width);
    }
}

TEST_CASE("text is padded or truncated to exactly the given width", "[nn][display]") {
    CHECK(fit("ab", 4) == "ab  ");
    CHECK(fit("ab", 4, Align::right) == "  ab");
    CHECK(fit("abcd", 4) == "abcd");
    CHECK(fit("abcde", 4) == "abc…");
    CHECK(fit("ñandú", 3, Align::right) == "ña…");
    CHECK(fit("注意力", 4) == "注… ");
    CHECK(fit("注意力", 4, Align::right) == " 注…");
    CHECK(fit("e\xCC\x81"
              "e\xCC\x81"
              "ee",
              3) == "e\xCC\x81"
                    "e\xCC\x81…");
    CHECK(fit("a\tb", 5) == "a␉b  ");
    CHECK(fit("abc", 1) == "…");
    CHECK(fit("abc", 0) == "");
    CHECK(fit("", 3) == "\"\" ");
    for (std::size_t width = 0; width < 20; ++width) {
        for (const std::string text : {"", "注意力 is all", "e\xCC\x81\xFF\xE2\x80\xAE!", "😀😀😀"}) {
            CHECK(display_width(fit(text, width)) == width);
        }
    }
}

TEST_CASE("prose is broken between words at the given width", "[nn][display]") {
    const auto wrapped = [](std::size_t width) {
        std::ostringstream out;
        print_wrapped(out, "- ", "größer und 注意力 extraordinarily wide", width);
        return out.str();
    };
    CHECK(wrapped(80) == "- größer und 注意力 extraordinarily wide\n");
    CHECK(wrapped(19) == "- größer und 注意力\n  extraordinarily\n  wide\n");
    CHECK(wrapped(18) == "- größer und\n  注意力\n  extraordinarily\n  wide\n");
    CHECK(wrapped(5) == "- größer\n  und\n  注意力\n  extraordinarily\n  wide\n");
}
