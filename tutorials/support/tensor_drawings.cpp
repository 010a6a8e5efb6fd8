#include "tutorials/support/tensor_drawings.h"

#include "tensor/errors.h"
#include "tensor/ops.h"

#include <algorithm>
#include <cstdlib>

using namespace heed;

namespace tutorial {
namespace {

const double below_title = 56, arrow_width = 46;

// Where each entry of a view lies in the memory, row by row.
std::vector<std::int64_t> places_of(const Tensor& view) {
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < view.dim(0); ++i) {
        for (std::int64_t j = 0; j < view.dim(1); ++j) {
            places.push_back(view.offset() + i * view.strides()[0] + j * view.strides()[1]);
        }
    }
    return places;
}

std::string in_words(const NamedTensor& view) {
    std::string words;
    for (const std::int64_t place : places_of(view.tensor)) {
        words += (words.empty() ? "" : ", ") + std::to_string(place);
    }
    return text(" ", view.label(), " has strides ", view.tensor.strides(),
                "; row by row it reads the numbers ", words, " of the memory.");
}

std::string strides_label(const NamedTensor& view) {
    return text(view.label(), ", strides ", view.tensor.strides());
}

// Arcs from each place to the next, above the memory.
void draw_walk(SvgPicture& picture, double x, double y, double cell,
               const std::vector<std::int64_t>& places) {
    const auto point = [](double at_x, double at_y) {
        return svg_number(at_x) + " " + svg_number(at_y);
    };
    for (std::size_t i = 1; i < places.size(); ++i) {
        const bool forward = places[i] > places[i - 1];
        const double toward = forward ? 1 : -1;
        const double from = x + cell * (static_cast<double>(places[i - 1]) + 0.5) + 2 * toward;
        const double to = x + cell * (static_cast<double>(places[i]) + 0.5) - 4 * toward;
        const double steps = static_cast<double>(std::abs(places[i] - places[i - 1]));
        const double up = y - std::min(44.0, 12 + 6 * steps);
        const std::string color = forward ? "0" : "1";
        picture.path("M" + point(from, y) + "C" + point(from, up) + " " + point(to, up) + " " +
                         point(to, y - 2),
                     "h-o" + color);
        picture.path("M" + point(to - 2.5, y - 6) + "L" + point(to + 2.5, y - 6) + "L" +
                         point(to, y) + "Z",
                     "h-f" + color);
    }
}

// The memory, coloured by the rows of a view, with the walk of the view over it.
void draw_memory(SvgPicture& picture, double x, double y, double cell, const Tensor& memory,
                 const Tensor& view) {
    std::vector<std::string> colors(static_cast<std::size_t>(memory.numel()));
    const std::vector<std::int64_t> places = places_of(view);
    for (std::size_t i = 0; i < places.size(); ++i) {
        colors[static_cast<std::size_t>(places[i])] =
            pale(static_cast<std::int64_t>(i) / view.dim(1));
    }
    draw_blocks(picture, x, y, cell, memory, [&](const Cell& at) { return colors[at.entry]; });
    for (std::int64_t i = 0; i < memory.numel(); ++i) {
        picture.text(x + cell * (static_cast<double>(i) + 0.5), y + Blocks::cell_height + 13,
                     std::to_string(i), "h-small h-mid");
    }
    draw_walk(picture, x, y, cell, places);
}

double width_of(const NamedTensor& named, double cell) {
    return std::max(Blocks(named.tensor.shape()).width(cell), svg_text_width(named.label()));
}

// The head that each number of a step belongs to: the columns in which x has it.
class HeadOf {
  public:
    HeadOf(const NamedTensor& x, std::int64_t heads, const CallSite& site)
        : x_(x), known_(x.tensor.to_vector()), site_(site) {
        check_rank("head_split_svg", x, 2, 2, site);
        d_ = x.tensor.dim(1);
        if (heads < 1 || d_ % heads != 0) {
            fail_argument("head_split_svg", site, x.label(), " has ", d_, " columns, which ", heads,
                          " heads do not share evenly");
        }
        d_head_ = d_ / heads;
    }

    std::vector<std::int64_t> operator()(const NamedTensor& step) const {
        std::vector<std::int64_t> heads;
        for (const Scalar number : step.tensor.to_vector()) {
            const auto found = std::find(known_.begin(), known_.end(), number);
            if (found == known_.end()) {
                fail_argument("head_split_svg", site_, step.name, " has the number ", number,
                              ", and ", x_.name, " has not");
            }
            heads.push_back((found - known_.begin()) % d_ / d_head_);
        }
        return heads;
    }

  private:
    const NamedTensor& x_;
    std::vector<Scalar> known_;
    const CallSite& site_;
    std::int64_t d_ = 0, d_head_ = 1;
};

}  // namespace

std::string strides_svg(const std::string& title, const std::vector<NamedTensor>& views,
                        CallSite site) {
    if (views.empty()) fail_argument("strides_svg", site, "there is no tensor to draw");
    const std::shared_ptr<Storage>& storage = views[0].tensor.storage();
    const Tensor memory(storage, 0, {storage ? storage->size() : 0}, {1});
    const double cell = cell_width(memory);
    const auto height_of = [](const NamedTensor& view) {
        return std::max(Blocks(view.tensor.shape()).height(), 84.0) + 46;
    };
    double grids = 0, height = below_title - 16;
    std::string words = "The entries of one memory.";
    for (const NamedTensor& view : views) {
        check_rank("strides_svg", view, 2, 2, site);
        if (!view.tensor.shares_storage_with(views[0].tensor)) {
            fail_shape("strides_svg", site, view.name, " and ", views[0].name,
                       " do not look at the same memory");
        }
        grids = std::max({grids, width_of(view, cell), svg_text_width(strides_label(view))});
        height += height_of(view);
        words += in_words(view);
    }
    const double right = grids + 30 + cell * static_cast<double>(memory.numel());
    SvgPicture picture(std::max(right + 4, svg_text_width(title, 13) + 4), height, title, words);
    picture.text(2, 16, title, "h-title");
    double y = below_title;
    for (const NamedTensor& view : views) {
        picture.text(2, y - 8, strides_label(view));
        draw_blocks(picture, 2, y, cell, view.tensor, [](const Cell& at) { return pale(at.row); });
        draw_memory(picture, grids + 30, y + 46, cell, memory, view.tensor);
        y += height_of(view);
    }
    return picture.str();
}

std::string broadcast_svg(const std::string& title, const NamedTensor& a, const NamedTensor& b,
                          CallSite site) {
    const NamedTensor sum{a.name + " + " + b.name, tensor::add(a.tensor, b.tensor, site)};
    check_rank("broadcast_svg", sum, 0, 3, site);
    const Shape& shape = sum.tensor.shape();
    const double cell = cell_width(sum.tensor), height = Blocks(shape).height();
    double column = Blocks(shape).width(cell);
    for (const NamedTensor* part : {&a, &b, &sum}) column = std::max(column, width_of(*part, cell));
    const std::string words = text(a.label(), " and ", b.label(), " are repeated to ", shape,
                                   " and added. What is repeated is drawn pale.");
    SvgPicture picture(std::max(3 * column + 2 * 40, svg_text_width(title, 13)) + 4,
                       height + below_title + 14, title, words);
    picture.text(2, 16, title, "h-title");
    const auto draw_part = [&](const NamedTensor& part, double x, const std::string& color) {
        const Blocks own(part.tensor.shape());
        picture.text(x, below_title - 10, part.label());
        draw_blocks(picture, x, below_title, cell, tensor::expand(part.tensor, shape, site),
                    [&](const Cell& at) {
                        const bool there =
                            at.block < own.count && at.row < own.rows && at.column < own.columns;
                        return color.empty() ? "" : color + (there ? " h-tint" : " h-faded");
                    });
    };
    const double middle = below_title + height / 2 + 5;
    draw_part(a, 2, "h-f0");
    picture.text(column + 22, middle, "+", "h-mid h-title");
    draw_part(b, column + 42, "h-f1");
    picture.text(2 * column + 62, middle, "=", "h-mid h-title");
    draw_part(sum, 2 * column + 82, "");
    return picture.str();
}

std::string head_split_svg(const std::string& title, const std::vector<NamedTensor>& steps,
                           const NamedTensor& wrong, std::int64_t heads, CallSite site) {
    if (steps.empty()) fail_argument("head_split_svg", site, "there is no step to draw");
    const HeadOf head_of(steps[0], heads, site);
    const double cell = cell_width(steps[0].tensor);
    double width = 2, height = 0;
    for (const NamedTensor& step : steps) {
        check_rank("head_split_svg", step, 2, 3, site);
        width += width_of(step, cell) + arrow_width;
        height = std::max(height, Blocks(step.tensor.shape()).height());
    }
    check_rank("head_split_svg", wrong, 2, 3, site);
    const std::string words =
        text("The columns of each of ", heads, " heads in ", steps[0].label(),
             " have a colour. In ", steps.back().label(), " each block has one colour; in ",
             wrong.label(), " the colours are mixed.");
    const double wrong_at = below_title + height + 44;
    width = std::max({width - arrow_width, width_of(wrong, cell) + 2, svg_text_width(title, 13)});
    SvgPicture picture(width + 4, wrong_at + Blocks(wrong.tensor.shape()).height() + 6, title,
                       words);
    picture.text(2, 16, title, "h-title");
    const auto draw_step = [&](const NamedTensor& step, double x, double y) {
        const std::vector<std::int64_t> colors = head_of(step);
        picture.text(x, y - 10, step.label());
        draw_blocks(picture, x, y, cell, step.tensor, [&](const Cell& at) {
            return "h-f" + std::to_string(colors[at.entry] % 6) + " h-tint";
        });
    };
    double x = 2;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        draw_step(steps[i], x, below_title);
        x += width_of(steps[i], cell);
        if (i + 1 < steps.size()) {
            picture.text(x + arrow_width / 2, below_title + 16, "→", "h-mid h-title");
        }
        x += arrow_width;
    }
    draw_step(wrong, 2, wrong_at);
    return picture.str();
}

}  // namespace tutorial
