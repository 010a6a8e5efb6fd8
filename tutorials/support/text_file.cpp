#include "tutorials/support/text_file.h"

#include "tensor/quote.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace tutorial {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error("the file " + heed::in_quotes(path) + " cannot be read: " + why);
}

// Before it is opened, since to open a pipe is to wait for its writer.
void check_kind(const std::string& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    switch (status.type()) {
    case fs::file_type::regular:
        return;
    case fs::file_type::not_found:
        refuse(path, "there is no such file");
    case fs::file_type::directory:
        refuse(path, "it is a directory");
    case fs::file_type::fifo:
    case fs::file_type::socket:
        refuse(path, "it is a pipe; save what comes out of it as a file first");
    case fs::file_type::character:
    case fs::file_type::block:
        refuse(path, "it is a device");
    default:
        refuse(path, problem ? problem.message() : "it is not a regular file");
    }
}

[[noreturn]] void refuse_length(const std::string& path, std::uintmax_t most) {
    refuse(path, "it is longer than " + std::to_string(most) + " bytes, the limit");
}

void check_is_text(const std::string& path, const std::string& text) {
    const std::size_t nul = text.find('\0');
    if (nul == std::string::npos) return;
    const std::ptrdiff_t line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    refuse(path, "line " + std::to_string(line) + " has a NUL byte, so it is not a text file");
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

std::string read_text_file(const std::string& path, std::uintmax_t most_bytes) {
    check_kind(path);
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(path, unknown);
    if (!unknown && size > most_bytes) refuse_length(path, most_bytes);

    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(path, std::strerror(errno));
    std::string text;
    if (!unknown) text.reserve(size);
    char some[1 << 16];
    while (file.read(some, sizeof some), file.gcount() > 0) {
        text.append(some, static_cast<std::size_t>(file.gcount()));
        if (text.size() > most_bytes) refuse_length(path, most_bytes);
    }
    if (file.bad()) refuse(path, std::strerror(errno));
    check_is_text(path, text);
    return text;
}

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
        throw std::runtime_error(heed::printable(path) + ": it is empty; each line must be " +
                                 names.first + ", a tab and " + names.second);
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const char* const spaces = " \t\r\v\f";
    const std::size_t begin = text.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

#ifdef __cpp_lib_to_chars
bool parse_number(std::string_view text, double& number) {
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}
#else
// Some versions of libc++ have std::from_chars for whole numbers only. A stream would also take
// what std::from_chars refuses: a "+", and hexadecimal digits.
bool parse_number(std::string_view text, double& number) {
    if (text.empty() || text.front() == '+' || text.find_first_of("xX") != text.npos) return false;
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    stream >> std::noskipws >> number;
    return !stream.fail() && stream.peek() == std::istringstream::traits_type::eof();
}
#endif

}  // namespace tutorial
