#include "tutorials/support/two_columns.h"

#include "tensor/quote.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace tutorial {

namespace {

const char* const spaces = " \t\r\v\f";

// Without spaces at both ends.
std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

// One line of a file, and what is wrong with it.
struct Line {
    const std::string& path;
    const ColumnNames& names;
    std::string_view text;
    std::size_t number;

    TwoColumns read() const {
        check_is_utf_8();
        const std::ptrdiff_t tabs = std::count(text.begin(), text.end(), '\t');
        const std::string expected = names.first + ", a tab and " + names.second + " are expected";
        if (tabs == 0) fail(expected + ", no tab found");
        if (tabs > 1) fail(expected + ", " + std::to_string(tabs) + " tabs found");
        const std::size_t tab = text.find('\t');
        const std::string_view first = trimmed(text.substr(0, tab));
        const std::string_view second = trimmed(text.substr(tab + 1));
        if (first.empty()) fail(expected + ", nothing found before the tab");
        if (second.empty()) fail(expected + ", nothing found after the tab");
        return {std::string(first), std::string(second), number};
    }

  private:
    void check_is_utf_8() const {
        for (std::size_t at = 0; at < text.size();) {
            const heed::CodePoint point = heed::code_point_at(text, at);
            if (!point.is_valid) fail("it is not UTF-8, from byte " + std::to_string(at) + " on");
            at += point.bytes;
        }
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw std::runtime_error(heed::printable(path) + ", line " + std::to_string(number) + ": " +
                                 problem);
    }
};

}  // namespace

std::vector<TwoColumns> read_two_columns(const std::string& path, const ColumnNames& names) {
    const std::string whole = read_text_file(path);
    std::string_view text = whole;
    const std::string_view mark = "\xEF\xBB\xBF";
    if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());

    std::vector<TwoColumns> lines;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const Line line{path, names, text.substr(begin, end - begin), ++number};
        if (!trimmed(line.text).empty()) lines.push_back(line.read());
        begin = end + 1;
    }
    if (lines.empty()) {
        throw std::runtime_error(heed::printable(path) + ": there is nothing in it; " +
                                 names.first + ", a tab and " + names.second +
                                 " are expected in each line");
    }
    return lines;
}

}  // namespace tutorial
