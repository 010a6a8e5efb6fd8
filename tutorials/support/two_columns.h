// A reader's own data: a text file of two columns with a tab between them, such as a label and a
// sentence, or a sentence and its translation. Spreadsheets save it as "tab-separated".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tutorial {

// What the columns hold, for messages.
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

}  // namespace tutorial
