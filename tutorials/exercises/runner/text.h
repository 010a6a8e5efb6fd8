// Text for a terminal: wrapped, harmless, not too long; and what is worth showing of a build.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace exercise {

std::vector<std::string> lines_of(const std::string& text);

template <class Words>
std::string joined(const Words& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

// One line, broken between words so that no line is wider than `width` columns, as far as words
// allow: a path stays whole. What follows is indented as the line is. No line break at the end.
std::string wrapped(const std::string& line, std::size_t width);
// The number of lines that `text` takes when wrapped.
std::size_t height(const std::string& text, std::size_t width);

// Another program's output, safe to show: colours are dropped, other control characters appear as
// \x1b, and CRLF becomes a line break.
std::string harmless(const std::string& text);

// The beginning and the end of a long text, of at most `bytes` and `lines` each.
class HeadAndTail {
  public:
    HeadAndTail(std::size_t bytes, std::size_t lines) : most_(bytes), most_lines_(lines) {}
    void add(const char* some, std::size_t count);
    // With a line between them that says how much was left out.
    std::string text() const;

  private:
    struct LeftOut {
        std::size_t bytes = 0, lines = 0;
        void erase(std::string& text, std::size_t at, std::size_t count);
        std::string in_words() const;  // "... 12 lines are left out here ..."
    };

    std::size_t most_, most_lines_;
    LeftOut left_out_;
    std::string head_, tail_;
};

// Does the line say how far the build is, such as "[ 42%] Building ..." or "[42/97] Building ..."?
bool is_build_progress(const std::string& line);

// The first errors in a build's output: as many as fit into so many lines of so many columns, and
// the first one in any case; then how many more there are. Without any error, the last lines.
std::string first_errors(const std::string& output, std::size_t lines, std::size_t columns);

}  // namespace exercise
