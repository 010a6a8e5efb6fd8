// Names at the right edge of a plot, each as near to its line as there is room for.
#pragma once

#include "autograd/inspect/svg.h"

#include <functional>
#include <string>
#include <vector>

namespace tutorial {

class Labels {
  public:
    // A place below `mark` is left free before the text, for draw() to fill; without one, give -1.
    // With `leads`, a short line leads from y to the name if that stands elsewhere.
    void add(const std::string& text, double y, const std::string& classes, int mark, bool leads);
    // Moves them apart so that none overlap, and, if they have room there, between top and bottom.
    // Together they move as little as that allows.
    void spread(double top, double bottom);
    double width() const;
    using DrawMark = std::function<void(int mark, double x, double y)>;
    void draw(double x, heed::SvgPicture& picture, const DrawMark& draw_mark) const;

  private:
    struct Label {
        std::string text, classes;
        double wanted, y;
        int mark;
        bool leads;
    };
    std::vector<Label> labels_;
};

}  // namespace tutorial
