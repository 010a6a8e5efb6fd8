#include "tutorials/exercises/runner/failure.h"

#include "tutorials/exercises/runner/text.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace exercise {
namespace {
const char* const build_again =
    "`cmake --workflow --preset exercises` in heed's folder builds all of it again.";
const char* const missing_tool =
    "Install it (on Debian: apt-get install build-essential), or remove the build folder and build "
    "with another: `cmake --workflow --preset exercises` in heed's folder makes it again.";
const char* const no_room = "Free some space, then judge it again.";
const char* const no_memory =
    "Close other programs, or set CMAKE_BUILD_PARALLEL_LEVEL=1, so that one file is compiled at a "
    "time; then judge it again.";
const char* const not_writable = "Give yourself the right to write there, then judge it again.";
const char* const restore = "`git status` in heed's folder shows which files are deleted.";
const char* const damaged =
    "`cmake --build` with --clean-first builds all of it again: a build that "
    "was cut short, as by a full disk, may leave half a file.";

// What the tools say if it is not about a file's text.
const struct {
    const char* said;
    const char* reason;
    const char* advice;
} signs[] = {
    {"No space left on device", "the disk is full", no_room},
    {"Disk quota exceeded", "your part of the disk is full", no_room},
    {"Killed signal terminated program", "the compiler used up the memory", no_memory},
    {": out of memory", "the compiler used up the memory", no_memory},
    {"virtual memory exhausted", "the compiler used up the memory", no_memory},
    {"Cannot allocate memory", "the memory is used up", no_memory},
    {"Read-only file system", "the build folder cannot be written", not_writable},
    {"Permission denied", "the build folder cannot be written", not_writable},
    {"file format not recognized", "a file that was built before is damaged", damaged},
    {"file truncated", "a file that was built before is damaged", damaged},
    {"malformed archive", "a file that was built before is damaged", damaged},
    {"execution of make failed", "the program that builds is missing", missing_tool},
    {"build tool execution failed", "the program that builds is missing", missing_tool},
    {"*** No rule to make target '/", "a file of the library or of the build is missing", restore},
    {"missing and no known rule to make it", "a file of the library or of the build is missing",
     restore},
    {"CMake Error", "CMake cannot configure the build",
     "If you have changed a CMakeLists.txt, correct it or undo your change."},
};

bool has(const std::string& line, const std::string& part) {
    return line.find(part) != std::string::npos;
}

// A shell or make could not start a program: "sh: 1: /usr/bin/c++: not found".
bool says_not_found(const std::string& line) {
    const bool is_shell = has(line, "/sh: ") || line.rfind("sh: ", 0) == 0 ||
                          line.rfind("make", 0) == 0 || line.rfind("gmake", 0) == 0;
    return is_shell && (has(line, ": not found") || has(line, ": No such file or directory"));
}

// Which target's step failed: "gmake[2]: *** [.../X.dir/build.make:76: ...] Error 1", as make says
// it, or "FAILED: .../X.dir/x.cpp.o", as ninja does. "" if the line says nothing of that.
std::string failed_step(const std::string& line) {
    const std::size_t at = line.find(" *** [");
    if (at != std::string::npos && has(line, "/build.make:")) return line.substr(at + 6);
    return line.rfind("FAILED: ", 0) == 0 ? line.substr(8) : "";
}

// The file of "/a/b.cpp:12:5: error: ..."; "" if the line is no error with a place.
std::string file_of_error(const std::string& line) {
    const std::size_t error = std::min(line.find(": error: "), line.find(": fatal error: "));
    const std::size_t colon = line.find(':');
    const bool has_place = colon < error && line.find_first_of("0123456789", colon) == colon + 1;
    return error != std::string::npos && has_place ? line.substr(0, colon) : "";
}

// An archive's function calls one that no archive has; which the learner's file alone cannot cause.
bool is_link_error_of_archive(const std::string& line, const std::string& next) {
    return has(line, ".a(") && has(line, ": in function ") && has(next, "undefined reference to ");
}

}  // namespace

Failure failure_in(const std::string& output, const std::string& file, const std::string& target) {
    const std::vector<std::string> lines = lines_of(output);
    std::string other_step, first_file;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        const std::string step = failed_step(line);
        if (!has(step, "/" + target + ".dir/") && other_step.empty()) other_step = step;
        if (first_file.empty()) first_file = file_of_error(line);
        const bool is_about_text = line.rfind(file + ":", 0) == 0 && !has(line, ": fatal error: ");
        if (line.empty() || line[0] == ' ' || is_about_text) continue;  // may quote the learner
        if (says_not_found(line)) {
            return {"the compiler or another tool is missing (" + line + ")", missing_tool};
        }
        if (i + 1 < lines.size() && is_link_error_of_archive(line, lines[i + 1])) {
            return {"the library or the judges lack a function", build_again};
        }
        for (const auto& sign : signs) {
            if (has(line, sign.said)) return {sign.reason, sign.advice};
        }
    }
    std::error_code none;
    const bool is_own = std::filesystem::equivalent(first_file, file, none);
    if (other_step.empty() || is_own) return {};
    if (first_file.empty()) return {"the library or the judges cannot be built", build_again};
    return {
        first_file + " does not compile",
        "If you have changed that file, correct it, or undo your change: `git diff` shows it. If "
        "you have not, " +
            std::string(build_again)};
}

}  // namespace exercise
