#include "tutorials/exercises/runner/source.h"

#include <sstream>
#include <stdexcept>

namespace exercise {

namespace {

enum class Part { common, stub, solution };

std::string without_indent(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? "" : line.substr(first);
}

// "    //     f();" becomes "    f();": the code after the slashes, indented like the markers.
std::string uncommented(const std::string& line) {
    const std::size_t slashes = line.find("//");
    if (slashes == std::string::npos) {
        throw std::runtime_error("a line of a stub is no comment: " + line);
    }
    const std::string rest = line.substr(slashes + 2);
    if (rest.empty()) return "";
    if (rest.compare(0, 5, "     ") != 0) {
        throw std::runtime_error("a line of a stub is not indented by five: " + line);
    }
    return line.substr(0, slashes) + rest.substr(5);
}

std::string part_of(const std::string& source, Part wanted) {
    std::istringstream lines(source);
    std::string line, text;
    Part part = Part::common;
    int holes = 0;
    const auto enter = [&](Part from, Part to) {
        if (part != from) throw std::runtime_error("a mark is out of order: " + line);
        part = to;
    };
    while (std::getline(lines, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const std::string bare = without_indent(line);
        if (bare == "// begin stub") {
            enter(Part::common, Part::stub);
            ++holes;
        } else if (bare == "// begin solution") {
            enter(Part::stub, Part::solution);
        } else if (bare == "// end") {
            enter(Part::solution, Part::common);
        } else if (part == Part::common || (part == wanted && part == Part::solution)) {
            text += line + "\n";
        } else if (part == wanted) {
            text += uncommented(line) + "\n";
        }
    }
    if (part != Part::common) throw std::runtime_error("a hole has no // end");
    if (holes == 0) throw std::runtime_error("there is no hole");
    return text;
}

}  // namespace

std::string stub_of(const std::string& source) { return part_of(source, Part::stub); }

std::string solution_of(const std::string& source) { return part_of(source, Part::solution); }

}  // namespace exercise
