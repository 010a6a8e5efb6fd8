#include "svg.h"

#include "../../tensor/print.h"
#include "../../tensor/quote.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A page may set --heed-ink and so on for its own colours. Series 0 to 5 have colours that colour
// blind readers tell apart (after Okabe and Ito), and other dashes, too.
const char* const style =
    "<style>"
    ".heed-picture{--h-ink:var(--heed-ink,#222);--h-faint:var(--heed-faint,#666);"
    "--h-hair:var(--heed-hair,#e2e2e2);--h-0:#0067a5;--h-1:#c04a00;--h-2:#00805c;--h-3:#9b3f80;"
    "--h-4:#7a6400;--h-5:#444;max-width:100%;height:auto;color-scheme:light dark}"
    "@media screen and (prefers-color-scheme:dark){.heed-picture{--h-ink:var(--heed-ink,#ddd);"
    "--h-faint:var(--heed-faint,#a0a0a0);--h-hair:var(--heed-hair,#353535);--h-0:#63b3ed;"
    "--h-1:#f6935c;--h-2:#48c9a0;--h-3:#dd96c6;--h-4:#d6bf4a;--h-5:#c4c4c4}}"
    ".heed-picture text{font:12px system-ui,sans-serif;fill:var(--h-ink)}"
    ".heed-picture .h-title{font-size:13px;font-weight:600}"
    ".heed-picture .h-small{font-size:11px;fill:var(--h-faint)}"
    ".heed-picture .h-cell{font-size:11px;text-anchor:middle}"
    ".heed-picture .h-mid{text-anchor:middle}.heed-picture .h-end{text-anchor:end}"
    ".heed-picture .h-bold{font-weight:600}"
    ".h-axis{stroke:var(--h-faint);fill:none}.h-hair{stroke:var(--h-hair);fill:none}"
    ".h-tip{fill:var(--h-faint)}.h-box{stroke:var(--h-faint);fill:none}"
    ".h-ghost{stroke:var(--h-faint);fill:none;stroke-dasharray:2 2}"
    ".h-ref{stroke:var(--h-faint);stroke-dasharray:1 3;stroke-linecap:round;fill:none}"
    ".h-s0,.h-s1,.h-s2,.h-s3,.h-s4,.h-s5{fill:none;stroke-width:1.6;stroke-linejoin:round}"
    ".h-s0{stroke:var(--h-0)}.h-s1{stroke:var(--h-1);stroke-dasharray:6 3}"
    ".h-s2{stroke:var(--h-2);stroke-dasharray:2 2}"
    ".h-s3{stroke:var(--h-3);stroke-dasharray:8 3 2 3}"
    ".h-s4{stroke:var(--h-4);stroke-dasharray:10 4}"
    ".h-s5{stroke:var(--h-5);stroke-dasharray:4 2 1 2}"
    ".heed-picture .h-f0{fill:var(--h-0)}.heed-picture .h-f1{fill:var(--h-1)}"
    ".heed-picture .h-f2{fill:var(--h-2)}.heed-picture .h-f3{fill:var(--h-3)}"
    ".heed-picture .h-f4{fill:var(--h-4)}.heed-picture .h-f5{fill:var(--h-5)}"
    ".heed-picture .h-bar{stroke-dasharray:none;stroke-width:2}"
    ".h-o0{stroke:var(--h-0);fill:none}.h-o1{stroke:var(--h-1);fill:none}"
    ".h-pale{fill-opacity:.16}.h-tint{fill-opacity:.38}"
    ".h-faded{fill-opacity:.1}.h-strong{fill-opacity:.75}"
    "</style>";

// May it stand in XML?
bool is_plain(const CodePoint& character) {
    const std::uint32_t code = character.code;
    if (!character.is_valid || code == 0xfffe || code == 0xffff) return false;
    return code == '\t' || code == '\n' || (code >= 0x20 && (code < 0x7f || code >= 0xa0));
}

std::string escaped(const CodePoint& character, const std::string& bytes) {
    switch (character.code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return is_plain(character) ? bytes : "\xef\xbf\xbd";
    }
}

std::string attribute(const char* name, double number) {
    return std::string(" ") + name + "=\"" + svg_number(number) + "\"";
}

std::string of_class(const std::string& classes) {
    return classes.empty() ? "" : " class=\"" + classes + "\"";
}

}  // namespace

std::string svg_text(const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint next = code_point_at(text, at);
        result += escaped(next, text.substr(at, next.bytes));
        at += next.bytes;
    }
    return result;
}

std::string svg_number(double number) {
    std::string digits = fixed(number, 2);
    if (digits.find('.') == std::string::npos) return digits;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

double svg_text_width(const std::string& text, double size) {
    double width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint next = code_point_at(text, at);
        const bool narrow =
            next.code < 0x80 &&
            std::string(" .,:;'|!()[]il").find(static_cast<char>(next.code)) != std::string::npos;
        width += next.code >= 0x2e80 ? 1.05 : narrow ? 0.39 : next.code == 'm' ? 0.98 : 0.64;
        at += next.bytes;
    }
    return width * size;
}

SvgPicture::SvgPicture(double width, double height, const std::string& title,
                       const std::string& description) {
    const std::string w = svg_number(width), h = svg_number(height);
    out_ =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heed-picture\" role=\"img\" width=\"" +
        w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\">\n<title>" +
        svg_text(title) + "</title>\n<desc>" + svg_text(description) + "</desc>\n" + style + "\n";
}

void SvgPicture::rect(double x, double y, double width, double height, const std::string& classes,
                      double corner) {
    out_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
            attribute("height", height) + (corner > 0 ? attribute("rx", corner) : "") +
            of_class(classes) + "/>\n";
}

void SvgPicture::shade(double x, double y, double width, double height, const std::string& classes,
                       double strength) {
    out_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
            attribute("height", height) + of_class(classes) + attribute("fill-opacity", strength) +
            "/>\n";
}

void SvgPicture::line(double x1, double y1, double x2, double y2, const std::string& classes) {
    out_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
            attribute("y2", y2) + of_class(classes) + "/>\n";
}

void SvgPicture::circle(double x, double y, double radius, const std::string& classes) {
    out_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) +
            of_class(classes) + "/>\n";
}

void SvgPicture::path(const std::string& d, const std::string& classes) {
    out_ += "<path d=\"" + d + "\"" + of_class(classes) + "/>\n";
}

void SvgPicture::text(double x, double y, const std::string& text, const std::string& classes) {
    out_ += "<text" + attribute("x", x) + attribute("y", y) + of_class(classes) + ">" +
            svg_text(text) + "</text>\n";
}

void SvgPicture::begin(const std::string& tooltip) {
    out_ += "<g><title>" + svg_text(tooltip) + "</title>\n";
}

void SvgPicture::end() { out_ += "</g>\n"; }

namespace {
// Neighbours that touch and move as one.
struct Group {
    double sum, weight;
    std::size_t count;

    double mean() const { return sum / weight; }
};

}  // namespace

// With what lies before each subtracted, "at least apart" becomes "not falling": neighbours that
// would fall are joined at their mean, until none does.
std::vector<double> spread_apart(const std::vector<double>& wanted,
                                 const std::vector<double>& apart,
                                 const std::vector<double>& weights, double least, double most) {
    std::vector<double> before(wanted.size(), 0);
    for (std::size_t i = 1; i < wanted.size(); ++i) before[i] = before[i - 1] + apart[i];
    std::vector<Group> groups;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        groups.push_back({weights[i] * (wanted[i] - before[i]), weights[i], 1});
        while (groups.size() > 1 && groups[groups.size() - 2].mean() > groups.back().mean()) {
            const Group last = groups.back();
            groups.pop_back();
            groups.back().sum += last.sum;
            groups.back().weight += last.weight;
            groups.back().count += last.count;
        }
    }
    const double highest = wanted.empty() ? least : std::max(least, most - before.back());
    std::vector<double> places;
    for (const Group& group : groups) {
        const double place = std::clamp(group.mean(), least, highest);
        for (std::size_t i = 0; i < group.count; ++i)
            places.push_back(place + before[places.size()]);
    }
    return places;
}

}}  // namespace heed
