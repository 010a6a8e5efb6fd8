#include "split.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "unicode.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The kinds of character that the patterns tell apart: \p{L}, \p{N}, \s and the rest.
using Kind = CharacterClass;

struct Character {
    Kind kind;
    std::size_t end;
};

Character character_at(std::string_view text, std::size_t at) {
    const CodePoint point = code_point_at(text, at);
    const Kind its = point.is_valid ? class_of(point.code) : Kind::other;
    const bool is_apart = its == Kind::letter || its == Kind::number || its == Kind::space;
    return {is_apart ? its : Kind::other, at + point.bytes};
}

// Where a run of at most `most` characters of this kind ends.
std::size_t run_end(std::string_view text, std::size_t at, Kind kind,
                    std::size_t most = static_cast<std::size_t>(-1)) {
    for (; at < text.size() && most > 0; --most) {
        const Character next = character_at(text, at);
        if (next.kind != kind) break;
        at = next.end;
    }
    return at;
}

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

char ascii_lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// The end of an English contraction ('s, 't, 're ...) at `begin`, or `begin`.
std::size_t contraction_end(std::string_view text, std::size_t begin, bool any_case) {
    if (text[begin] != '\'') return begin;
    constexpr std::string_view long_s = "\u017F";  // an s, where case does not matter
    if (any_case && text.substr(begin + 1, 2) == long_s) return begin + 3;
    for (const std::string_view ending : {"s", "t", "re", "ve", "m", "ll", "d"}) {
        const std::string_view found = text.substr(begin + 1, ending.size());
        bool is_same = found.size() == ending.size();
        for (std::size_t i = 0; is_same && i < ending.size(); ++i) {
            is_same = (any_case ? ascii_lower(found[i]) : found[i]) == ending[i];
        }
        if (is_same) return begin + 1 + ending.size();
    }
    return begin;
}

// \s+(?!\S)|\s+: white space, without its last character if a word follows, which takes it.
std::size_t spaces_end(std::string_view text, std::size_t begin) {
    std::size_t before_last = begin, end = begin;
    while (end < text.size()) {
        const Character next = character_at(text, end);
        if (next.kind != Kind::space) break;
        before_last = end;
        end = next.end;
    }
    return end == text.size() || before_last == begin ? end : before_last;
}

// \s*[\r\n]+: white space up to the last line end in it, or `begin` if there is none.
std::size_t lines_end(std::string_view text, std::size_t begin) {
    const std::size_t end = run_end(text, begin, Kind::space);
    const std::size_t last = text.substr(begin, end - begin).find_last_of("\r\n");
    return last == text.npos ? begin : begin + last + 1;
}

std::size_t gpt2_end(std::string_view text, std::size_t begin) {
    const std::size_t contraction = contraction_end(text, begin, false);
    if (contraction > begin) return contraction;
    const std::size_t word = begin + (text[begin] == ' ' && begin + 1 < text.size());
    const Kind kind = character_at(text, word).kind;
    return kind == Kind::space ? spaces_end(text, begin) : run_end(text, word, kind);
}

std::size_t llama3_end(std::string_view text, std::size_t begin, std::size_t most_digits) {
    const std::size_t contraction = contraction_end(text, begin, true);
    if (contraction > begin) return contraction;
    const Character first = character_at(text, begin);
    if (first.kind == Kind::letter) return run_end(text, begin, Kind::letter);
    if (first.kind == Kind::number) return run_end(text, begin, Kind::number, most_digits);
    if (!is_line_end(text[begin])) {
        const std::size_t letters = run_end(text, first.end, Kind::letter);
        if (letters > first.end) return letters;
    }
    const std::size_t word = begin + (text[begin] == ' ');
    std::size_t end = run_end(text, word, Kind::other);
    if (end > word) {
        while (end < text.size() && is_line_end(text[end])) ++end;
        return end;
    }
    const std::size_t lines = lines_end(text, begin);
    return lines > begin ? lines : spaces_end(text, begin);
}

}  // namespace

std::string_view pattern_of(TextSplit split, CallSite site) {
    check_enum("pattern_of", "split", split, TextSplit::qwen2, site);
    switch (split) {
    case TextSplit::gpt2:
        return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    case TextSplit::llama3:
        return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
               R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    case TextSplit::qwen2:
        return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
               R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    }
    return "";
}

std::size_t word_end(std::string_view text, std::size_t begin, TextSplit split) {
    if (split == TextSplit::gpt2) return gpt2_end(text, begin);
    return llama3_end(text, begin, split == TextSplit::llama3 ? 3 : 1);
}

std::size_t digits_end(std::string_view text, std::size_t begin, bool each_alone) {
    const Character first = character_at(text, begin);
    if (first.kind == Kind::number) {
        return each_alone ? first.end : run_end(text, begin, Kind::number);
    }
    std::size_t end = first.end;
    while (end < text.size() && character_at(text, end).kind != Kind::number) {
        end = character_at(text, end).end;
    }
    return end;
}

}}  // namespace heed
