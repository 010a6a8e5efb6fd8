#include "tutorials/exercises/runner/messages.h"

#include "tutorials/exercises/runner/text.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace exercise {

namespace {

using Lines = std::vector<std::string>;

bool has(const std::string& line, const char* part) { return line.find(part) != std::string::npos; }

bool begins(const std::string& line, const char* part) { return line.rfind(part, 0) == 0; }

bool is_error(const std::string& line) {
    return has(line, ": error: ") || has(line, ": fatal error: ") ||
           has(line, ": undefined reference to ") || has(line, ": multiple definition of ") ||
           begins(line, "CMake Error") || begins(line, "ninja: error: ") || has(line, " *** No ");
}

bool is_of_build_tool(const std::string& line) {
    return is_build_progress(line) || begins(line, "make") || begins(line, "gmake") ||
           begins(line, "FAILED: ") || begins(line, "ninja: ") || begins(line, "collect2: ");
}

// Does the line tell where the error that follows is?
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

Lines lines_of(const std::string& text) {
    std::istringstream stream(text);
    Lines lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
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

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// As many of the last lines as have room.
std::string last_of(const Lines& lines, std::size_t room, std::size_t columns) {
    std::string text;
    for (std::size_t i = lines.size(); i > 0; --i) {
        const std::string more = lines[i - 1] + "\n" + text;
        if (!text.empty() && height(more, columns) > room) break;
        text = more;
    }
    return text;
}

// One error: if it has no room, the end of what leads to it and the beginning of what explains it.
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

}  // namespace

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
        const std::string more = text + joined(errors[shown]);
        if (height(more, columns) > lines) break;
        text = more;
    }
    const std::size_t rest = errors.size() - shown;
    if (rest > 0)
        text += "and " + std::to_string(rest) + (rest == 1 ? " more error.\n" : " more errors.\n");
    return text;
}

}  // namespace exercise
