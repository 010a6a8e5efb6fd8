// The cells of a tensor in a drawing: blocks of rows and columns, with the numbers in them.
#pragma once

#include "autograd/inspect/svg.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tutorial {

struct NamedTensor {
    std::string name;
    heed::Tensor tensor;

    // "x [2, 3]"
    std::string label() const { return name + " " + tensor.shape().text(); }
};

// Error: a rank outside these (ShapeError), in the name of `what`.
void check_rank(const char* what, const NamedTensor& named, int least, int most,
                const heed::CallSite& site);

// A tensor of at most three axes: a block for each index of the first, one below the other.
struct Blocks {
    static constexpr double cell_height = 22, gap = 12;

    explicit Blocks(const heed::Shape& shape);

    double width(double cell) const { return cell * static_cast<double>(columns); }
    double height() const;

    std::int64_t count, rows, columns;
};

// The width of a cell that has room for each number of x.
double cell_width(const heed::Tensor& x);

// The classes of the filling of a cell; "" for none. `entry` counts cells, row by row.
struct Cell {
    std::int64_t block, row, column;
    std::size_t entry;
};
using CellClasses = std::function<std::string(const Cell&)>;

void draw_blocks(heed::SvgPicture& picture, double x, double y, double cell,
                 const heed::Tensor& entries, const CellClasses& classes);

// A pale filling, one of six.
std::string pale(std::int64_t color);

}  // namespace tutorial
