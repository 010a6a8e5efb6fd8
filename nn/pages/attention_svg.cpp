#include "attention_svg.h"

#include "../../tensor/errors.h"
#include "../../tensor/print.h"
#include "../files/file_bytes.h"
#include "attention_data.h"
#include "display.h"
#include "html.h"

#include <algorithm>
#include <array>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr std::int64_t cell = 40, letter = 8, longest = 16;  // pixels, and letters of a label

struct Picture {
    const AttentionRecord& record;
    std::int64_t head;
    Tokens queries, keys;
    std::int64_t left, top;  // where the cells begin
};

// From nearly white through green and blue to violet: each step is darker than the one before.
std::string color_of(double weight) {
    constexpr std::array<std::array<int, 3>, 7> stops = {{{0xFB, 0xFC, 0xF3},
                                                          {0xD8, 0xEC, 0xB0},
                                                          {0x86, 0xCF, 0x8F},
                                                          {0x35, 0xA5, 0x8B},
                                                          {0x2A, 0x78, 0x8E},
                                                          {0x3D, 0x4F, 0x89},
                                                          {0x44, 0x1A, 0x63}}};
    const double place = 6 * (weight > 0 ? std::min(weight, 1.0) : 0.0);
    const std::size_t below = std::min<std::size_t>(static_cast<std::size_t>(place), 5);
    const double part = place - static_cast<double>(below);
    std::string color = "#";
    for (std::size_t c = 0; c < 3; ++c) {
        const int from = stops[below][c], to = stops[below + 1][c];
        const int value = static_cast<int>(from + (to - from) * part + 0.5);
        color += "0123456789abcdef"[value / 16];
        color += "0123456789abcdef"[value % 16];
    }
    return color;
}

std::string label(const std::string& token) {
    const std::size_t width = std::min<std::size_t>(terminal::display_width(token), longest);
    return html_text(terminal::fit(token, width));
}

std::int64_t room_for(const Tokens& tokens) {
    std::size_t widest = 1;
    for (const std::string& token : tokens) {
        widest = std::max(widest, terminal::display_width(token));
    }
    return 16 + letter * std::min<std::int64_t>(static_cast<std::int64_t>(widest), longest);
}

std::string draw_cell(const Picture& picture, std::size_t i, std::size_t j, double weight,
                      bool is_masked) {
    const std::int64_t x = picture.left + cell * static_cast<std::int64_t>(j);
    const std::int64_t y = picture.top + cell * static_cast<std::int64_t>(i);
    const std::string number =
        text("<text x=\"", x + cell / 2, "\" y=\"", y + cell / 2 + 4, "\" text-anchor=\"middle\"");
    if (is_masked) return number + " fill=\"#777\">·</text>\n";
    return text("<g><title>", html_text(picture.queries[i]), " → ", html_text(picture.keys[j]),
                ": ", fixed(weight, 4), "</title><rect x=\"", x, "\" y=\"", y, "\" width=\"",
                cell - 1, "\" height=\"", cell - 1, "\" fill=\"", color_of(weight), "\"/>", number,
                weight > 0.45 ? " fill=\"#fff\"" : "", ">", fixed(weight, 2), "</text></g>\n");
}

std::string draw_labels(const Picture& picture) {
    std::string svg;
    for (std::size_t i = 0; i < picture.queries.size(); ++i) {
        const std::int64_t y = picture.top + cell * static_cast<std::int64_t>(i) + cell / 2 + 4;
        svg += text("<text x=\"", picture.left - 8, "\" y=\"", y, "\" text-anchor=\"end\">",
                    label(picture.queries[i]), "</text>\n");
    }
    for (std::size_t j = 0; j < picture.keys.size(); ++j) {
        const std::int64_t x = picture.left + cell * static_cast<std::int64_t>(j) + cell / 2 + 4;
        svg += text("<text transform=\"translate(", x, " ", picture.top - 8, ") rotate(-90)\">",
                    label(picture.keys[j]), "</text>\n");
    }
    return svg;
}

std::string draw_legend(const Picture& picture, std::int64_t y, bool has_mask) {
    std::string svg = text("<text x=\"", picture.left, "\" y=\"", y + 10, "\">0</text>\n");
    for (int i = 0; i < 10; ++i) {
        svg += text("<rect x=\"", picture.left + 12 + 10 * i, "\" y=\"", y,
                    "\" width=\"10\" height=\"12\" fill=\"", color_of((i + 0.5) / 10), "\"/>\n");
    }
    return svg + text("<text x=\"", picture.left + 116, "\" y=\"", y + 10, "\">1",
                      has_mask ? "&#160;&#160;· masked" : "", "</text>\n");
}

}  // namespace

std::string attention_svg(const AttentionRecord& record, const Dims& index, CallSite site) {
    check_records("attention_svg", {record}, site);
    const std::int64_t head = head_at("attention_svg", record, index, site);
    Picture picture = {record, head, shown_tokens(record, -2, head), shown_tokens(record, -1, head),
                       0,      0};
    picture.left = room_for(picture.queries);
    picture.top = 24 + room_for(picture.keys);
    const std::size_t T_q = picture.queries.size(), T_k = picture.keys.size();
    const std::int64_t bottom = picture.top + cell * static_cast<std::int64_t>(T_q);
    const std::int64_t width =
        picture.left + std::max<std::int64_t>(cell * static_cast<std::int64_t>(T_k), 220) + 8;
    const std::string name =
        html_text(record.full_name().empty() ? "Attention" : record.full_name()) +
        (index.empty() ? "" : " " + index.text());
    std::string svg =
        text("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"", width,
             "\" height=\"", bottom + 36, "\" viewBox=\"0 0 ", width, " ", bottom + 36,
             "\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>", name,
             "</title>\n<desc>Attention weights of ", T_q, T_q == 1 ? " query" : " queries",
             " (rows) over ", T_k, T_k == 1 ? " key" : " keys", " (columns).</desc>\n",
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"18\" "
             "font-weight=\"600\">",
             name, "</text>\n", draw_labels(picture));
    const Tensor weights = head_of(record, record.weights, head);
    const std::vector<bool> allowed = allowed_in(record, head);
    for (std::size_t place = 0; place < T_q * T_k; ++place) {
        svg += draw_cell(picture, place / T_k, place % T_k, weights.data()[place],
                         !allowed.empty() && !allowed[place]);
    }
    const bool has_mask = std::find(allowed.begin(), allowed.end(), false) != allowed.end();
    return svg + draw_legend(picture, bottom + 12, has_mask) + "</svg>\n";
}

void save_attention_svg(const std::string& path, const AttentionRecord& record, const Dims& index,
                        CallSite site) {
    write_whole(path, attention_svg(record, index, site), site);
}

}}  // namespace heed
