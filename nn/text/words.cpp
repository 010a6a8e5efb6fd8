#include "words.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "unicode.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {
namespace {
enum class Kind { letter, space, mark };

struct Character {
    char32_t code;
    Kind kind;
};

// Variation selectors and zero-width joiners are included because emoji use them.
constexpr CodeRange marks[] = {
    {0x00, 0x2F},     {0x3A, 0x40},     {0x5B, 0x5E},      {0x60, 0x60},     {0x7B, 0xA9},
    {0xAB, 0xB1},     {0xB4, 0xB4},     {0xB6, 0xB8},      {0xBB, 0xBB},     {0xBF, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},     {0x200C, 0x200D},  {0x2010, 0x205E}, {0x20A0, 0x20CF},
    {0x2190, 0x2BFF}, {0xFE00, 0xFE0F}, {0x1F000, 0x1FAFF}};

Kind kind_of(char32_t code) {
    if (class_of(code) == CharacterClass::space || code == 0xFEFF) return Kind::space;
    return is_in(marks, code) ? Kind::mark : Kind::letter;
}

bool joins_letters(char32_t code) {
    return code == '\'' || code == 0x2019 || code == 0xAD || code == 0x200C || code == 0x200D;
}

bool is_digit(char32_t code) { return code >= '0' && code <= '9'; }

// Of Latin letters up to U+017F alone.
char32_t lower(char32_t code) { return code < 0x180 ? lower_case(code) : code; }

std::string hexadecimal(unsigned char byte) {
    const char* const digits = "0123456789ABCDEF";
    return std::string("0x") + digits[byte / 16] + digits[byte % 16];
}

std::vector<Character> characters(const std::string& text, const std::string& name,
                                  const CallSite& site) {
    std::vector<Character> found;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const CodePoint character = code_point_at(text, begin);
        if (!character.is_valid) {
            fail_argument("WordTokenizer", site, "byte ", begin, " of ", name, " is ",
                          hexadecimal(static_cast<unsigned char>(text[begin])),
                          ", which does not begin a UTF-8 character; convert the text to UTF-8");
        }
        const char32_t code = character.code;
        found.push_back({code, kind_of(code)});
        begin += character.bytes;
    }
    return found;
}

// Is the mark at i part of the surrounding word?
bool is_inside_word(const std::vector<Character>& text, std::size_t i) {
    if (i == 0 || i + 1 == text.size()) return false;
    const Character before = text[i - 1], here = text[i], after = text[i + 1];
    if (joins_letters(here.code)) return before.kind == Kind::letter && after.kind == Kind::letter;
    return (here.code == '.' || here.code == ',') && is_digit(before.code) && is_digit(after.code);
}

}  // namespace

std::vector<std::string> split_words(const std::string& text, bool lower_case,
                                     Punctuation punctuation, const std::string& name,
                                     const CallSite& site) {
    check_enum("split_words", "the punctuation", punctuation, Punctuation::keep, site);
    const std::vector<Character> all = characters(text, name, site);
    std::vector<std::string> words;
    std::string word;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Character character = all[i];
        const bool belongs = character.kind == Kind::letter ||
                             (character.kind == Kind::mark &&
                              (punctuation == Punctuation::keep || is_inside_word(all, i)));
        if (belongs) {
            append_utf8(lower_case ? lower(character.code) : character.code, word);
            continue;
        }
        if (!word.empty()) words.push_back(word);
        word.clear();
        if (character.kind == Kind::mark && punctuation == Punctuation::separate) {
            std::string mark;
            append_utf8(character.code, mark);
            words.push_back(mark);
        }
    }
    if (!word.empty()) words.push_back(word);
    return words;
}

std::string to_lower_case(const std::string& text, const std::string& name, const CallSite& site) {
    std::string result;
    for (const Character& character : characters(text, name, site)) {
        append_utf8(lower(character.code), result);
    }
    return result;
}

bool holds_space(const std::string& text, const std::string& name, const CallSite& site) {
    for (const Character& character : characters(text, name, site)) {
        if (character.kind == Kind::space) return true;
    }
    return false;
}

}}  // namespace heed
