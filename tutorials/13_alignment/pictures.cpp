#include "tutorials/13_alignment/pictures.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"

#include "tensor/print.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <ostream>

namespace {

const int word_width = 10;
const int line_rows = 5;    // of the lines of an alignment
const int curve_rows = 10;  // of the picture of the curves

// At least `width` characters.
std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

std::string without_spaces_behind(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string in_columns(const std::vector<std::string>& cells, std::size_t width) {
    std::string line;
    for (const std::string& cell : cells) line += padded(cell, width);
    return without_spaces_behind(line);
}

}  // namespace

void draw_alignment(std::ostream& out, const Translation& text) {
    out << "    " << in_columns(text.english, word_width) << "\n";
    const std::size_t words = std::max(text.english.size(), text.spanish.size());
    for (int row = 0; row < line_rows; ++row) {
        std::string line(words * word_width, ' ');
        for (std::size_t j = 0; j < text.source.size(); ++j) {
            const int from = static_cast<int>(j) * word_width + 1;
            const int to = static_cast<int>(text.source[j]) * word_width + 1;
            const int at = from + (to - from) * (2 * row + 1) / (2 * line_rows);
            char& place = line[static_cast<std::size_t>(at)];
            const char mark = from == to ? '|' : from < to ? '\\' : '/';
            place = place == ' ' || place == mark ? mark : 'X';
        }
        out << "    " << without_spaces_behind(line) << "\n";
    }
    out << "    " << in_columns(text.spanish, word_width) << "\n";
}

void print_curves(std::ostream& out, const std::vector<LengthRange>& lengths,
                  const std::vector<Curve>& curves) {
    std::vector<std::string> ranges;
    for (const LengthRange& range : lengths) ranges.push_back(in_words(range));
    tutorial::print_row(out, "Spanish words", ranges, 24, 5);
    for (const Curve& curve : curves) {
        std::vector<std::string> cells;
        for (const double share : curve.shares) cells.push_back(heed::fixed(share, 2));
        tutorial::print_row(out, curve.name, cells, 24, 5);
    }
}

void draw_curves(std::ostream& out, const std::vector<LengthRange>& lengths,
                 const std::vector<Curve>& curves) {
    for (int row = curve_rows; row >= 0; --row) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            std::string marks = "   ";
            for (const Curve& curve : curves) {
                const int height = static_cast<int>(curve.shares[i] * curve_rows + 0.5);
                if (height == row) marks += curve.name[0];
            }
            cells.push_back(marks);
        }
        const std::string label = heed::fixed(static_cast<double>(row) / curve_rows, 1);
        out << (row % 5 == 0 ? label + " |" : "    |") << in_columns(cells, 8) << "\n";
    }
    std::vector<std::string> axis;
    for (const LengthRange& range : lengths) axis.push_back("  " + in_words(range));
    out << "     " << in_columns(axis, 8) << "  Spanish words\n";
}

std::string curves_svg(const std::vector<LengthRange>& lengths, const std::vector<Curve>& curves) {
    tutorial::Plot plot{.title = "Right translations; learned were sentences of 3 to 12 words",
                        .x = {.label = "Spanish words"},
                        .y = {.label = "share of sentences", .covers = {0, 1}}};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        plot.x.ticks.push_back(static_cast<double>(i));
        plot.x.names.push_back(in_words(lengths[i]));
    }
    for (std::size_t first = 0, next = 0; first < curves.size(); first = next) {
        while (next < curves.size() && curves[next].name == curves[first].name) ++next;
        if (next == first + 1) {
            plot.series.push_back({curves[first].name, plot.x.ticks, curves[first].shares});
            continue;
        }
        std::vector<tutorial::Several> shares;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            std::vector<double> each;
            for (std::size_t c = first; c < next; ++c) each.push_back(curves[c].shares[i]);
            shares.push_back(tutorial::several(each));
        }
        plot.series.push_back(tutorial::series_of(curves[first].name, plot.x.ticks, shares));
    }
    return tutorial::plot_svg(plot);
}
