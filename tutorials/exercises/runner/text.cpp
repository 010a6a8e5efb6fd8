#include "tutorials/exercises/runner/text.h"

#include "tensor/quote.h"
#include "tutorials/support/display.h"

#include <algorithm>
#include <sstream>

namespace exercise {

namespace {

// The length of a colour's code, "\x1b[01;31m" or "\x1b[K", that begins there; 0 for anything else.
std::size_t colour_at(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "\x1b[") != 0) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
    if (end == std::string::npos || (text[end] != 'm' && text[end] != 'K')) return 0;
    return end + 1 - at;
}

// Where to break a line that is wider than `width`: at the last space that is within it, or else
// the first after it; not in its indent. npos if it has no such space.
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

}  // namespace

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
    std::istringstream lines(text);
    std::string line;
    std::size_t count = 0;
    while (std::getline(lines, line)) {
        std::istringstream parts(wrapped(line, width));
        for (std::string part; std::getline(parts, part);) {
            count += tutorial::display_width(part) / (width + 1);
            ++count;
        }
        count += line.empty();
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

void HeadAndTail::add(const char* some, std::size_t count) {
    const std::size_t first = std::min(count, most_ - head_.size());
    head_.append(some, first);
    tail_.append(some + first, count - first);
    if (tail_.size() <= 2 * most_) return;
    left_out_ += tail_.size() - most_;
    tail_.erase(0, tail_.size() - most_);
}

std::string HeadAndTail::text() const {
    std::string tail = tail_;
    std::size_t left_out = left_out_;
    if (tail.size() > most_) {
        left_out += tail.size() - most_;
        tail.erase(0, tail.size() - most_);
    }
    if (left_out == 0) return head_ + tail;
    // Whole lines, if they are not too long for that.
    const std::size_t last = head_.rfind('\n'), first = tail.find('\n');
    std::string head = last == std::string::npos ? head_ + "\n" : head_.substr(0, last + 1);
    if (last != std::string::npos) left_out += head_.size() - head.size();
    if (first != std::string::npos) {
        left_out += first + 1;
        tail.erase(0, first + 1);
    }
    return head + "... " + std::to_string(left_out) + " bytes are left out here ...\n" + tail;
}

}  // namespace exercise
