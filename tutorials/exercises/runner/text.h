// Text for a terminal: wrapped, harmless, and not too long.
#pragma once

#include <cstddef>
#include <string>

namespace exercise {

// One line, broken between words so that no line is wider than `width` columns, as far as words
// allow: a path stays whole. What follows is indented as the line is. No line break at the end.
std::string wrapped(const std::string& line, std::size_t width);
// The lines that `text` takes when wrapped.
std::size_t height(const std::string& text, std::size_t width);

// Another program's output as text: colours are left out, what else a terminal would obey is shown
// as \x1b, and CRLF is a line break.
std::string harmless(const std::string& text);

// The beginning and the end of a long text, of at most `most` bytes each.
class HeadAndTail {
  public:
    explicit HeadAndTail(std::size_t most) : most_(most) {}
    void add(const char* some, std::size_t count);
    // With a line between them that says how much was left out.
    std::string text() const;

  private:
    std::size_t most_, left_out_ = 0;
    std::string head_, tail_;
};

}  // namespace exercise
