#include "tutorials/support/mask_drawing.h"

#include "autograd/inspect/svg.h"
#include "tensor/errors.h"
#include "tensor/ops.h"

#include <algorithm>

using namespace heed;

namespace tutorial {
namespace {

const double cell = 16, block_gap = 12, mask_gap = 36;

std::string label_of(const NamedMask& named) {
    return named.name + " " + named.mask.shape().text();
}

std::int64_t grids_of(const Mask& mask) {
    const std::int64_t entries = mask.T_q() * mask.T_k();
    return entries > 0 ? mask.shape().numel() / entries : 0;
}

double width_of(const NamedMask& named) {
    return std::max(cell * static_cast<double>(named.mask.T_k()), svg_text_width(label_of(named)));
}

double height_of(const Mask& mask) {
    return static_cast<double>(grids_of(mask)) *
           (cell * static_cast<double>(mask.T_q()) + block_gap);
}

void draw_mask(SvgPicture& picture, double x, double y, const Mask& mask) {
    const Tensor allowed = tensor::where(mask.allowed(), 1, 0);
    const std::vector<Scalar> entries = allowed.to_vector();
    const std::size_t rows = static_cast<std::size_t>(mask.T_q());
    const std::size_t columns = static_cast<std::size_t>(mask.T_k());
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        const double left = x + cell * static_cast<double>(entry % columns);
        const double top = y + cell * static_cast<double>(entry / columns) +
                           block_gap * static_cast<double>(entry / columns / rows);
        if (entries[entry] == 1) picture.rect(left, top, cell, cell, "h-f0 h-strong");
        picture.rect(left, top, cell, cell, "h-hair");
    }
}

}  // namespace

std::string masks_svg(const std::string& title, const std::vector<NamedMask>& masks,
                      CallSite site) {
    if (masks.empty()) fail_argument("masks_svg", site, "there is no mask to draw");
    double width = 2, height = 0;
    std::string words = "A row for each query, a column for each key; filled: may attend.";
    for (const NamedMask& named : masks) {
        const Mask& mask = named.mask;
        if (grids_of(mask) > 8) {
            fail_argument("masks_svg", site, label_of(named), " has ", grids_of(mask),
                          " grids; 8 can be drawn");
        }
        width += width_of(named) + mask_gap;
        height = std::max(height, height_of(mask));
        words += text(" ", label_of(named), " allows ", mask.allowed().count(), " of ",
                      mask.shape().numel(), ".");
    }
    SvgPicture picture(std::max(width - mask_gap + 4, svg_text_width(title, 13) + 4), 58 + height,
                       title, words);
    picture.text(2, 16, title, "h-title");
    double x = 2;
    for (const NamedMask& named : masks) {
        picture.text(x, 46, label_of(named));
        draw_mask(picture, x, 56, named.mask);
        x += width_of(named) + mask_gap;
    }
    return picture.str();
}

}  // namespace tutorial
