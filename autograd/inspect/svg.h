// SVG text, the little that drawings share. One picture is right on light and dark pages, as a file
// of its own and in print: elements have classes, and the style says what these look like.
// Everything is drawn from numbers of two decimals, so the text is the same on every machine.
#pragma once

#include "../../tensor/scalar.h"

#include <limits>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Text as it may stand in an element or attribute: & < > " ' escaped; what XML cannot hold (control
// characters, bytes that are not UTF-8) replaced by U+FFFD.
std::string svg_text(const std::string& text);

// At most two decimals, without zeros at the end: "12.5".
std::string svg_number(double number);

// How wide a text is at most, in a usual sans-serif font of this size.
double svg_text_width(const std::string& text, double size = 12);

// y grows downwards. `classes` are those of the style: h-… in svg.cpp; several with spaces between.
class SvgPicture {
  public:
    // `title` is its name, `description` what it shows in words, for those who do not see it.
    SvgPicture(double width, double height, const std::string& title,
               const std::string& description);

    void rect(double x, double y, double width, double height, const std::string& classes,
              double corner = 0);
    // With a strength from 0 to 1, for maps.
    void shade(double x, double y, double width, double height, const std::string& classes,
               double strength);
    void line(double x1, double y1, double x2, double y2, const std::string& classes);
    void circle(double x, double y, double radius, const std::string& classes);
    // `d` as in SVG: "M0 0L10 10"
    void path(const std::string& d, const std::string& classes);
    // (x, y) is on the base line: its left end, with h-mid its middle, with h-end its right end.
    void text(double x, double y, const std::string& text, const std::string& classes = "");
    // What is drawn until end() belongs together, with a text that is shown when pointed at.
    void begin(const std::string& tooltip);
    void end();

    std::string str() const { return out_ + "</svg>\n"; }

  private:
    std::string out_;
};

// Places along a line that do not overlap, for boxes and labels: those nearest to `wanted`, in the
// sum of squares times `weights`, of which each is at least `apart` behind the one before (as many
// numbers of all three; the first is not used), and all are from `least` to `most`, if there is
// room; else they begin at `least`. The order stays.
std::vector<double> spread_apart(const std::vector<double>& wanted,
                                 const std::vector<double>& apart,
                                 const std::vector<double>& weights,
                                 double least = -std::numeric_limits<double>::max(),
                                 double most = std::numeric_limits<double>::max());

}}  // namespace heed
