// What is in the text of a picture: for tests of drawings.
#pragma once

#include "autograd/inspect/svg.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

struct PictureBox {
    double left, top, right, bottom;
    std::string text;

    bool overlaps(const PictureBox& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

// The number behind name=" in an element.
inline double attribute_of(const std::string& element, const std::string& name) {
    const std::size_t at = element.find(" " + name + "=\"");
    return at == std::string::npos ? 0 : std::stod(element.substr(at + name.size() + 3));
}

inline std::int64_t count_of(const std::string& text, const std::string& part) {
    std::int64_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

// Every element of this name, with what is in it.
inline std::vector<std::string> elements_of(const std::string& svg, const std::string& name) {
    std::vector<std::string> elements;
    for (std::size_t at = svg.find("<" + name + " "); at != std::string::npos;
         at = svg.find("<" + name + " ", at + 1)) {
        elements.push_back(svg.substr(at, svg.find('\n', at) - at));
    }
    return elements;
}

// The boxes of all texts, as wide as svg_text_width() has them.
inline std::vector<PictureBox> texts_of(const std::string& svg) {
    std::vector<PictureBox> boxes;
    for (const std::string& element : elements_of(svg, "text")) {
        const std::size_t open = element.find('>');
        const std::string words = element.substr(open + 1, element.rfind("</text>") - open - 1);
        const std::string head = element.substr(0, open);
        const auto has = [&](const char* part) { return head.find(part) != std::string::npos; };
        const double size = has("h-small") || has("h-cell") ? 11 : has("h-title") ? 13 : 12;
        const double width = heed::svg_text_width(words, size);
        double left = attribute_of(head, "x");
        if (has("h-mid") || has("h-cell")) left -= width / 2;
        if (has("h-end")) left -= width;
        const double y = attribute_of(head, "y");
        boxes.push_back({left, y - 0.75 * size, left + width, y + 0.2 * size, words});
    }
    return boxes;
}

// "" if no text runs into another or out of the picture, else which ones.
inline std::string collisions_in(const std::string& svg) {
    const std::vector<PictureBox> boxes = texts_of(svg);
    const double width = attribute_of(svg, "width"), height = attribute_of(svg, "height");
    std::string found;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const PictureBox& box = boxes[i];
        if (box.left < -1 || box.top < 0 || box.right > width + 1 || box.bottom > height) {
            found += "\"" + box.text + "\" leaves the picture; ";
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (!box.overlaps(boxes[j])) continue;
            found += "\"" + boxes[j].text + "\" and \"" + box.text + "\"; ";
        }
    }
    return found;
}

// What is drawn, without title, description and style.
inline std::string body_of(const std::string& svg) {
    const std::string end = "</style>\n";
    const std::size_t at = svg.find(end) + end.size();
    return svg.substr(at, svg.rfind("</svg>") - at);
}
