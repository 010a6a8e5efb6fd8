#include "unicode.h"

#include "../../tensor/quote.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace {
struct CaseRange {
    std::uint32_t first, last, step;
    std::int32_t difference;
};

struct Decomposed {
    std::uint32_t code, first, second;
};

struct Ideographs {
    std::uint32_t first;
    std::u32string_view same_as;
};

#include "unicode_tables.inc"

// A table of runs, each the number of its codes times `scale`, plus the value that they have.
class Runs {
  public:
    template <std::size_t N>
    Runs(const std::uint32_t (&runs)[N], std::uint32_t scale) {
        for (const std::uint32_t run : runs) {
            ends_.push_back((ends_.empty() ? 0 : ends_.back()) + run / scale);
            values_.push_back(run % scale);
        }
    }

    std::uint32_t value_at(std::uint32_t code) const {
        const auto end = std::upper_bound(ends_.begin(), ends_.end(), code);
        return values_[static_cast<std::size_t>(end - ends_.begin())];
    }

  private:
    std::vector<std::uint32_t> ends_, values_;
};

std::uint32_t combining_class(std::uint32_t code) {
    static const Runs runs(combining_runs, 256);
    return code < 0x300 || code >= not_a_character ? 0 : runs.value_at(code);
}

// Hangul syllables are composed by a formula: 19 leading letters, 21 vowels, 27 trailing or none.
constexpr std::uint32_t syllables = 0xAC00, leading = 0x1100, vowels = 0x1161, trailing = 0x11A7;
constexpr std::uint32_t num_vowels = 21, num_trailing = 28, num_syllables = 19 * 21 * 28;

void append_parts(std::uint32_t code, std::vector<std::uint32_t>& to) {
    const std::uint32_t syllable = code - syllables;
    if (syllable < num_syllables) {
        to.push_back(leading + syllable / (num_vowels * num_trailing));
        to.push_back(vowels + syllable / num_trailing % num_vowels);
        if (syllable % num_trailing > 0) to.push_back(trailing + syllable % num_trailing);
        return;
    }
    for (const Ideographs& run : ideographs) {
        const std::uint32_t place = code - run.first;
        if (place < run.same_as.size()) return to.push_back(run.same_as[place]);
    }
    const Decomposed* const found =
        std::lower_bound(std::begin(decompositions), std::end(decompositions), code,
                         [](const Decomposed& one, std::uint32_t its) { return one.code < its; });
    if (code < 0xC0 || found == std::end(decompositions) || found->code != code) {
        to.push_back(code);
        return;
    }
    append_parts(found->first, to);
    if (found->second) append_parts(found->second, to);
}

// The character that two compose, or 0.
std::uint32_t composite(std::uint32_t first, std::uint32_t second) {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    static const std::map<Pair, std::uint32_t> known = [] {
        std::map<Pair, std::uint32_t> pairs;
        for (const Decomposed& one : decompositions) {
            const bool is_left_out = std::binary_search(std::begin(not_composed_again),
                                                        std::end(not_composed_again), one.code);
            if (one.second && !is_left_out) pairs[{one.first, one.second}] = one.code;
        }
        return pairs;
    }();
    if (first - leading < 19 && second - vowels < num_vowels) {
        return syllables + ((first - leading) * num_vowels + second - vowels) * num_trailing;
    }
    const std::uint32_t syllable = first - syllables, tail = second - trailing;
    if (syllable < num_syllables && syllable % num_trailing == 0 && tail - 1 < num_trailing - 1) {
        return first + tail;
    }
    const auto found = known.find({first, second});
    return found == known.end() ? 0 : found->second;
}

// A byte of UTF-8 with the six bits of `code` from bit `shift` on.
char continuing(std::uint32_t code, int shift) {
    return static_cast<char>(0x80 | (code >> shift & 0x3F));
}

}  // namespace

CharacterClass class_of(std::uint32_t code) {
    static const Runs runs(class_runs, 8);
    // Most characters of most texts are at hand.
    static const std::vector<CharacterClass> first_classes = [] {
        std::vector<CharacterClass> classes;
        for (std::uint32_t each = 0; each < 0x800; ++each) {
            classes.push_back(static_cast<CharacterClass>(runs.value_at(each)));
        }
        return classes;
    }();
    if (code < first_classes.size()) return first_classes[code];
    if (code >= not_a_character) return CharacterClass::control;
    return static_cast<CharacterClass>(runs.value_at(code));
}

std::uint32_t lower_case(std::uint32_t code) {
    const CaseRange* const range =
        std::lower_bound(std::begin(case_ranges), std::end(case_ranges), code,
                         [](const CaseRange& one, std::uint32_t its) { return one.last < its; });
    const bool is_upper = range != std::end(case_ranges) && code >= range->first &&
                          (code - range->first) % range->step == 0;
    return is_upper ? code + static_cast<std::uint32_t>(range->difference) : code;
}

void append_lower_case(std::uint32_t code, std::vector<std::uint32_t>& to) {
    to.push_back(lower_case(code));
    if (code == 0x130) to.push_back(0x307);  // the only one whose lower case is two characters
}

std::vector<std::uint32_t> decomposed(const std::vector<std::uint32_t>& codes) {
    std::vector<std::uint32_t> parts;
    parts.reserve(codes.size());
    for (const std::uint32_t code : codes) append_parts(code, parts);
    for (auto begin = parts.begin(); begin != parts.end();) {
        const auto end = std::find_if(
            begin, parts.end(), [](std::uint32_t code) { return combining_class(code) == 0; });
        std::stable_sort(begin, end, [](std::uint32_t a, std::uint32_t b) {
            return combining_class(a) < combining_class(b);
        });
        begin = end == parts.end() ? end : end + 1;
    }
    return parts;
}

std::vector<std::uint32_t> composed(const std::vector<std::uint32_t>& codes) {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::uint32_t> made;
    made.reserve(codes.size());
    std::size_t starter = none;    // where the last one of class 0 stands
    std::uint32_t last_class = 0;  // of what was appended after it
    for (const std::uint32_t code : codes) {
        const std::uint32_t its_class = combining_class(code);
        const bool is_next = starter != none && starter + 1 == made.size();
        if (starter != none && (is_next || last_class < its_class)) {
            if (const std::uint32_t both = composite(made[starter], code)) {
                made[starter] = both;
                continue;
            }
        }
        if (its_class == 0) starter = made.size();
        last_class = its_class;
        made.push_back(code);
    }
    return made;
}

std::vector<std::uint32_t> codes_of(std::string_view text) {
    std::vector<std::uint32_t> codes;
    codes.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint character = code_point_at(text, at);
        codes.push_back(character.is_valid ? character.code : not_a_character + character.code);
        at += character.bytes;
    }
    return codes;
}

bool is_utf8(std::string_view text) {
    for (const std::uint32_t code : codes_of(text)) {
        if (code >= not_a_character) return false;
    }
    return true;
}

void append_utf8(std::uint32_t code, std::string& to) {
    if (code < 0x80 || code >= not_a_character) {
        to += static_cast<char>(code);
        return;
    }
    if (code < 0x800) {
        to += static_cast<char>(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        to += static_cast<char>(0xE0 | code >> 12);
        to += continuing(code, 6);
    } else {
        to += static_cast<char>(0xF0 | code >> 18);
        to += continuing(code, 12);
        to += continuing(code, 6);
    }
    to += continuing(code, 0);
}

}}  // namespace heed
