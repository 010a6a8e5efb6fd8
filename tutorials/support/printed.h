// What a lesson printed, taken apart for its page: tensors and masks, as heed prints them, and the
// text between them.
#pragma once

#include <string>
#include <vector>

namespace tutorial {

struct PrintedPart {
    enum class Kind {
        text,    // anything else, as it was printed
        tensor,  // "x =" and numbers in brackets, with the shape at the end
        mask,    // "mask =" and a grid of x and ·, with the shape at the end
        rows,    // vectors below each other, a line each: "exp(z)  [7.3891, 2.7183]  [2]"
    };
    // One matrix of a tensor or mask; of a vector, its one row.
    struct Matrix {
        std::string place;  // "[0, 1, :, :]", if there are several
        std::vector<std::vector<std::string>> rows;
    };
    struct Row {
        std::string name;  // "exp(z)", as it stands before the numbers, "w =" with its sign
        std::vector<std::string> entries;
        std::string shape;
    };

    Kind kind;
    std::string text;   // of text
    std::string name;   // "x", or none
    std::string shape;  // "[2, 3]"
    std::vector<Matrix> matrices;
    std::vector<Row> rows;
};

// In the order they were printed. Nothing is lost: the entries and names are the printed ones.
std::vector<PrintedPart> parts_of_printed(const std::string& text);

}  // namespace tutorial
