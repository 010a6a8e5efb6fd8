// attention_svg(): one head's weights as a picture that is the same on every machine.
#include "../../tensor/errors.h"
#include "../../tensor/print.h"
#include "../files/file_bytes.h"
#include "attention_page.h"
#include "attention_parts.h"
#include "display.h"
#include "html.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
const char* const operation = "attention_svg";
constexpr std::int64_t cell = 34, left = 120, top = 110;

// Which of the matrices `index` selects.
std::int64_t matrix_at(const AttentionRecord& record, const Dims& index, const CallSite& site) {
    const Shape& shape = record.weights.shape();
    bool fits = index.size() == shape.rank() - 2;
    std::int64_t matrix = 0;
    for (int axis = 0; fits && axis < index.size(); ++axis) {
        fits = index[axis] >= 0 && index[axis] < shape.dim(axis);
        matrix = matrix * shape.dim(axis) + index[axis];
    }
    if (fits) return matrix;
    fail_argument(operation, site, "the index ", index.text(), " does not fit the weights ", shape);
}

// From light yellow over green to dark blue, so that lightness alone tells the order.
std::string color_of(double weight) {
    constexpr int stops[5][3] = {
        {255, 255, 240}, {199, 233, 180}, {65, 182, 196}, {34, 94, 168}, {8, 29, 88}};
    const double place = std::clamp(weight, 0.0, 1.0) * 4;
    const int k = std::min(static_cast<int>(place), 3);
    int color[3] = {};
    for (int c = 0; c < 3; ++c) {
        const double part = stops[k][c] + (stops[k + 1][c] - stops[k][c]) * (place - k);
        color[c] = static_cast<int>(part + 0.5);
    }
    return text("rgb(", color[0], ",", color[1], ",", color[2], ")");
}

std::string label(const std::string& token) {
    const std::size_t width = terminal::display_width(terminal::visible(token));
    return html_text(terminal::fit(token, std::min<std::size_t>(14, width)));
}

std::string token_labels(const Tokens& queries, const Tokens& keys) {
    std::string svg;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const std::int64_t y = top + cell * static_cast<std::int64_t>(i) + 21;
        svg += text("<text x=\"", left - 8, "\" y=\"", y, "\" text-anchor=\"end\" fill=\"#111\">",
                    label(queries[i]), "</text>\n");
    }
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const std::int64_t x = left + cell * static_cast<std::int64_t>(j) + 20;
        svg += text("<text transform=\"translate(", x, " ", top - 8,
                    ") rotate(-60)\" fill=\"#111\">", label(keys[j]), "</text>\n");
    }
    return svg;
}

std::string cells(const AttentionRecord& record, std::int64_t matrix) {
    const Tensor weights = matrices_of(record.weights)[static_cast<std::size_t>(matrix)];
    std::string svg;
    for (std::int64_t i = 0; i < weights.dim(0); ++i) {
        for (std::int64_t j = 0; j < weights.dim(1); ++j) {
            const std::int64_t x = left + j * cell, y = top + i * cell;
            const std::string middle =
                text("<text x=\"", x + 16, "\" y=\"", y + 21, "\" text-anchor=\"middle\"");
            if (!is_allowed(record, matrix, i, j)) {
                svg += text(middle, " fill=\"#999\">·</text>\n");
                continue;
            }
            const double weight = weights(i, j);
            svg += text("<rect x=\"", x, "\" y=\"", y, "\" width=\"33\" height=\"33\" fill=\"",
                        color_of(weight), "\"/>\n", middle, " font-size=\"11\" fill=\"",
                        weight > 0.55 ? "#fff" : "#111", "\">", fixed(weight, 2), "</text>\n");
        }
    }
    return svg;
}

}  // namespace

std::string attention_svg(const AttentionRecord& record, const Dims& index, CallSite site) {
    check_records(operation, {record}, site);
    const std::int64_t matrix = matrix_at(record, index, site);
    const std::string place = index.empty() ? "" : text(" ", index.text());
    const std::string name = html_text(terminal::visible(text(record.full_name(), place)));
    const std::int64_t width = left + record.weights.dim(-1) * cell + 10;
    const std::int64_t height = top + record.weights.dim(-2) * cell + 24;
    const std::string frame = text(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", width, " ", height,
        "\" width=\"", width, "\" height=\"", height,
        "\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title>", name,
        "</title>\n<desc>Attention weights: a row for each query, a column for each key.</desc>\n",
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    const std::string words =
        token_labels(tokens_of(record, matrix, -2), tokens_of(record, matrix, -1));
    const std::string foot =
        text("<text x=\"", left, "\" y=\"", height - 6, "\" font-size=\"11\" fill=\"#555\">", name,
             ": rows are queries, columns keys</text>\n</svg>\n");
    return text(frame, words, cells(record, matrix), foot);
}

void save_attention_svg(const std::string& path, const AttentionRecord& record, const Dims& index,
                        CallSite site) {
    const std::string svg = attention_svg(record, index, site);
    write_whole(
        path, [&svg](const WriteBytes& write) { write(svg.data(), svg.size()); }, site);
}

}}  // namespace heed
