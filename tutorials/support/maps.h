// Maps as SVG text, for the page of a lesson: the entries of a matrix, the answers of a classifier.
#pragma once

#include "tensor/tensor.h"

#include <string>
#include <vector>

namespace tutorial {

// Entries from -1 to 1 as a map, blue above 0 and orange below, a row for each position. Error: a
// rank that is not 2 (ShapeError).
std::string map_svg(const std::string& title, const heed::Tensor& entries,
                    const std::string& row_label, const std::string& column_label,
                    heed::CallSite site = heed::CallSite::here());

// Where a classifier of two classes answers which. `leads` [rows, columns] is by how much it is for
// class 0, at the middles of cells that fill the rectangle, the first row on top. Error: a rank
// that is not 2, fewer than 2 rows or columns (ShapeError).
struct Area {
    double left, top, width, height;
};
struct ClassPoint {
    double x, y;
    int which;      // class 0 or 1
    bool held_out;  // else trained on
};
std::string decision_svg(const std::string& title, const heed::Tensor& leads, const Area& area,
                         const std::vector<ClassPoint>& points,
                         const std::vector<std::string>& names,
                         heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
