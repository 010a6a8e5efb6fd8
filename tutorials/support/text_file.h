// Text that the reader gives: a file that was named, such a file of two columns, a number. What is
// no text file is refused at once, where reading would wait for ever (a pipe), not end (/dev/zero)
// or give nonsense.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutorial {

inline constexpr std::uintmax_t most_text_bytes = std::uintmax_t{2} << 30;  // 2 GiB

// The whole text; it may be empty, and may lack the last end of line. Errors (std::runtime_error,
// with the file's name, for a NUL byte with the line): there is no such file; it is a directory, a
// pipe or a device; it may not be read, or reading fails; it is longer than `most_bytes`; it holds
// a NUL byte.
std::string read_text_file(const std::string& path, std::uintmax_t most_bytes = most_text_bytes);

// Two columns with a tab between them, such as a label and a sentence, or a sentence and its
// translation; spreadsheets save them as "tab-separated". What the columns hold, for messages:
struct ColumnNames {
    std::string first = "a text";
    std::string second = "a text";
};

struct TwoColumns {
    // Neither is empty, nor has spaces at its ends.
    std::string first, second;
    std::size_t line;  // of the file, counted from 1
};

// One for each line that is not blank. Blank lines, spaces around a column, Windows' \r, a byte
// order mark and the lack of a last end of line make no difference. Errors (std::runtime_error):
// those of read_text_file(); and, with the file and the line, a line without a tab or with more
// than one, a column with nothing in it, bytes that are not UTF-8; a file of blank lines.
std::vector<TwoColumns> read_two_columns(const std::string& path, const ColumnNames& names = {});

// Parses all of `text`, a number that somebody typed or that a file holds, such as "-1.5e3" or
// "inf", whatever the locale and the standard library. False if that is not one number, is too
// large for one, or begins with "+".
bool parse_number(std::string_view text, double& number);

// Without white space at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace tutorial
