#include "tutorials/exercises/runner/text.h"

#include "tensor/quote.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace exercise {
namespace {
// The length of a colour's code, "\x1b[01;31m" or "\x1b[K", that begins there; 0 for anything else.
std::size_t colour_at(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "\x1b[") != 0) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
    if (end == std::string::npos || (text[end] != 'm' && text[end] != 'K')) return 0;
    return end + 1 - at;
}

// Where to break a line that is wider than `width`: at the last space within the width, or else the
// first one after it, but not in the indent. npos if there is no such space.
std::size_t break_of(const std::string& line, std::size_t indent, std::size_t width) {
    std::size_t best = std::string::npos, columns = 0;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t bytes = heed::code_point_at(line, at).bytes;
        if (line[at] == ' ' && at > indent) {
            if (columns <= width || best == std::string::npos) best = at;
            if (columns > width) return best;
        }
        columns += tutorial::display_width(line.substr(at, bytes));
        at += bytes;
        if (columns > width && best != std::string::npos) return best;
    }
    return columns > width ? best : std::string::npos;
}

using Lines = std::vector<std::string>;

bool has(const std::string& line, const char* part) { return line.find(part) != std::string::npos; }

bool begins(const std::string& line, const char* part) { return line.rfind(part, 0) == 0; }

bool is_error(const std::string& line) {
    return has(line, ": error: ") || has(line, ": fatal error: ") || has(line, ": Fatal error: ") ||
           has(line, ": internal compiler error: ") || has(line, ": undefined reference to ") ||
           has(line, ": multiple definition of ") || begins(line, "CMake Error") ||
           begins(line, "ninja: error: ") || has(line, " *** No ");
}

bool is_of_build_tool(const std::string& line) {
    return is_build_progress(line) || begins(line, "make") || begins(line, "gmake") ||
           begins(line, "FAILED: ") || begins(line, "ninja: ") || begins(line, "collect2: ");
}

// Does the line say where the next error is?
bool leads_to_error(const std::string& line) {
    return begins(line, "In file included from ") || has(line, "                 from ") ||
           has(line, "required from ") || has(line, "required by ") ||
           (!line.empty() && line.back() == ':' && has(line, ": In ")) ||
           has(line, ": in function `");
}

bool begins_another(const std::string& line) {
    return is_error(line) || has(line, ": warning: ") || leads_to_error(line) ||
           is_of_build_tool(line);
}

// Each error with the lines that lead to it and those that explain it.
std::vector<Lines> errors_of(const Lines& lines) {
    std::vector<Lines> errors;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        if (!is_error(lines[at]) || (is_of_build_tool(lines[at]) && !errors.empty())) continue;
        std::size_t first = at, last = at + 1;
        while (first > 0 && leads_to_error(lines[first - 1])) --first;
        while (last < lines.size() && !begins_another(lines[last])) ++last;
        errors.emplace_back(lines.begin() + static_cast<std::ptrdiff_t>(first),
                            lines.begin() + static_cast<std::ptrdiff_t>(last));
    }
    return errors;
}

// As many of the last lines as fit.
std::string last_of(const Lines& lines, std::size_t room, std::size_t columns) {
    std::string text;
    for (std::size_t i = lines.size(); i > 0; --i) {
        const std::string more = lines[i - 1] + "\n" + text;
        if (!text.empty() && height(more, columns) > room) break;
        text = more;
    }
    return text;
}

// One error; if it does not fit, the end of what leads to it and the beginning of what explains it.
std::string shortened(const Lines& error, std::size_t room, std::size_t columns) {
    const auto at = std::find_if(error.begin(), error.end(), is_error);
    const Lines before(error.begin(), at);
    std::string text = last_of(before, room / 3, columns);
    for (Lines::const_iterator line = at; line != error.end(); ++line) {
        if (line != at && height(text + *line, columns) > room) break;
        text += *line + "\n";
    }
    return text;
}

// Where the first so many lines end.
std::size_t end_of_first(const std::string& text, std::size_t lines) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < lines; ++i) {
        const std::size_t next = text.find('\n', end);
        if (next == std::string::npos) return text.size();
        end = next + 1;
    }
    return end;
}

// Where the last so many lines begin.
std::size_t begin_of_last(const std::string& text, std::size_t lines) {
    std::size_t begin = text.size();
    for (std::size_t i = 0; i < lines; ++i) {
        if (begin < 2) return 0;
        const std::size_t before = text.rfind('\n', begin - 2);
        if (before == std::string::npos) return 0;
        begin = before + 1;
    }
    return begin;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string wrapped(const std::string& line, std::size_t width) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string begin = indent < width / 2 ? line.substr(0, indent) : "";
    std::string text, rest = line;
    while (true) {
        const std::size_t end =
            break_of(rest, std::min(rest.find_first_not_of(' '), rest.size()), width);
        if (end == std::string::npos) return text + rest;
        text += rest.substr(0, end) + "\n";
        const std::size_t next = rest.find_first_not_of(' ', end);
        if (next == std::string::npos) return text.substr(0, text.size() - 1);
        rest = begin + rest.substr(next);
    }
}

std::size_t height(const std::string& text, std::size_t width) {
    std::size_t count = 0;
    for (const std::string& line : lines_of(text)) {
        for (const std::string& part : lines_of(wrapped(line, width) + "\n")) {
            count += 1 + tutorial::display_width(part) / (width + 1);
        }
    }
    return count;
}

std::string harmless(const std::string& text) {
    std::string shown;
    std::size_t bytes = 0;
    for (std::size_t at = 0; at < text.size(); at += bytes) {
        bytes = colour_at(text, at);
        if (bytes > 0) continue;
        const heed::CodePoint character = heed::code_point_at(text, at);
        bytes = character.bytes;
        const std::string piece = text.substr(at, bytes);
        if (piece == "\r" && text.compare(at, 2, "\r\n") == 0) continue;
        const bool is_plain = character.is_valid && !heed::is_invisible(character.code);
        shown += is_plain || piece == "\n" || piece == "\t" ? piece : heed::printable(piece);
    }
    return shown;
}

void HeadAndTail::LeftOut::erase(std::string& text, std::size_t at, std::size_t count) {
    const std::string part = text.substr(at, count);
    bytes += part.size();
    lines += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    text.erase(at, count);
}

std::string HeadAndTail::LeftOut::in_words() const {
    const std::size_t count = lines > 0 ? lines : bytes;
    const std::string what = lines > 0 ? " line" : " byte", many = count == 1 ? " is" : "s are";
    return "... " + std::to_string(count) + what + many + " left out here ...\n";
}

void HeadAndTail::add(const char* some, std::size_t count) {
    const std::size_t first = std::min(count, most_ - head_.size());
    head_.append(some, first);
    tail_.append(some + first, count - first);
    if (tail_.size() > 2 * most_) left_out_.erase(tail_, 0, tail_.size() - most_);
}

std::string HeadAndTail::text() const {
    std::string head = head_, tail = tail_;
    LeftOut left_out = left_out_;
    if (tail.size() > most_) left_out.erase(tail, 0, tail.size() - most_);
    if (left_out.bytes == 0) {
        head += tail;
        const std::size_t end = end_of_first(head, most_lines_);
        const std::size_t begin = begin_of_last(head, most_lines_);
        if (begin <= end) return head;
        tail = head.substr(begin);
        head.erase(begin);
        left_out.erase(head, end, begin - end);
        return head + left_out.in_words() + tail;
    }
    // Whole lines, if they are not too long for that.
    const std::size_t last = head.rfind('\n'), first = tail.find('\n');
    if (last != std::string::npos) left_out.erase(head, last + 1, std::string::npos);
    if (first != std::string::npos) left_out.erase(tail, 0, first + 1);
    left_out.erase(head, end_of_first(head, most_lines_), std::string::npos);
    left_out.erase(tail, 0, begin_of_last(tail, most_lines_));
    return head + (last == std::string::npos ? "\n" : "") + left_out.in_words() + tail;
}

bool is_build_progress(const std::string& line) {
    const std::size_t end = line.find(']');
    if (line.empty() || line[0] != '[' || end == std::string::npos) return false;
    const std::string inside = line.substr(1, end - 1);
    return inside.find_first_not_of(" 0123456789%/") == std::string::npos &&
           inside.find_first_of("%/") != std::string::npos;
}

std::string first_errors(const std::string& output, std::size_t lines, std::size_t columns) {
    const std::vector<Lines> errors = errors_of(lines_of(output));
    if (errors.empty()) return last_of(lines_of(output), lines, columns);
    std::string text = shortened(errors[0], lines, columns);
    std::size_t shown = 1;
    for (; shown < errors.size(); ++shown) {
        const std::string more = text + joined(errors[shown], "\n") + "\n";
        if (height(more, columns) > lines) break;
        text = more;
    }
    const std::size_t rest = errors.size() - shown;
    if (rest > 0)
        text += "and " + std::to_string(rest) + (rest == 1 ? " more error.\n" : " more errors.\n");
    return text;
}

}  // namespace exercise
