#include "tutorials/support/cells.h"

#include "tensor/errors.h"
#include "tutorials/support/ticks.h"

#include <algorithm>
#include <vector>

using namespace heed;

namespace tutorial {

void check_rank(const char* what, const NamedTensor& named, int least, int most,
                const CallSite& site) {
    const int rank = named.tensor.shape().rank();
    if (rank >= least && rank <= most) return;
    fail_shape(what, site, named.label(), " has rank ", rank, "; it must be ", least,
               least == most ? "" : text(" to ", most));
}

Blocks::Blocks(const Shape& shape)
    : count(shape.rank() > 2 ? shape[0] : 1), rows(shape.rank() > 1 ? shape[shape.rank() - 2] : 1),
      columns(shape.rank() > 0 ? shape[shape.rank() - 1] : 1) {}

double Blocks::height() const {
    const double n = static_cast<double>(count);
    return n * static_cast<double>(rows) * cell_height + (n - 1) * gap;
}

double cell_width(const Tensor& x) {
    double widest = 0;
    for (const Scalar number : x.to_vector()) {
        widest = std::max(widest, svg_text_width(short_number(static_cast<double>(number)), 11));
    }
    return std::max(26.0, widest + 8);
}

void draw_blocks(SvgPicture& picture, double x, double y, double cell, const Tensor& entries,
                 const CellClasses& classes) {
    const Blocks blocks(entries.shape());
    const std::vector<Scalar> numbers = entries.to_vector();
    const std::size_t rows = static_cast<std::size_t>(blocks.rows);
    const std::size_t columns = static_cast<std::size_t>(blocks.columns);
    for (std::size_t entry = 0; entry < numbers.size(); ++entry) {
        const std::size_t row = entry / columns % rows, block = entry / columns / rows;
        const std::size_t column = entry % columns;
        const double left = x + cell * static_cast<double>(column);
        const double top = y + Blocks::cell_height * static_cast<double>(entry / columns) +
                           Blocks::gap * static_cast<double>(block);
        const std::string filling =
            classes({static_cast<std::int64_t>(block), static_cast<std::int64_t>(row),
                     static_cast<std::int64_t>(column), entry});
        if (!filling.empty()) picture.rect(left, top, cell, Blocks::cell_height, filling);
        picture.rect(left, top, cell, Blocks::cell_height, "h-box");
        picture.text(left + cell / 2, top + 15, short_number(static_cast<double>(numbers[entry])),
                     "h-cell");
    }
}

std::string pale(std::int64_t color) { return "h-f" + std::to_string(color % 6) + " h-pale"; }

}  // namespace tutorial
