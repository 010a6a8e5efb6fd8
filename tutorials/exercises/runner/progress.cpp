#include "tutorials/exercises/runner/progress.h"

#include "heed/tensor/quote.h"
#include "tutorials/exercises/runner/source.h"
#include "tutorials/support/text_file.h"

#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace exercise {

namespace {

bool take(Progress& progress, const std::string& line) {
    std::istringstream words(line);
    std::string word, number;
    if (!(words >> word >> number)) return false;
    if (word == "current") {
        progress.current = number;
    } else if (word == "done") {
        progress.done.insert(number);
    } else if (word == "hint") {
        Progress::Hints& hints = progress.hints[number];
        if (!(words >> hints.shown) || hints.shown < 0) return false;
        words >> hints.of;
    } else {
        return false;
    }
    std::string more;
    return !(words >> more);
}

}  // namespace

Progress read_progress(const std::string& file) {
    Progress progress;
    if (!std::filesystem::exists(file)) return progress;
    std::istringstream text(tutorial::read_text_file(file));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        if (line.empty() || take(progress, line)) continue;
        throw std::runtime_error(heed::printable(file) + ", line " + std::to_string(number) +
                                 " is not understood: " + heed::quoted(line) +
                                 ". Mend the line, or delete it.");
    }
    return progress;
}

void write_progress(const std::string& file, const Progress& progress) {
    std::ostringstream text;
    if (!progress.current.empty()) text << "current " << progress.current << "\n";
    for (const std::string& number : progress.done) text << "done " << number << "\n";
    for (const auto& [number, hints] : progress.hints) {
        text << "hint " << number << " " << hints.shown;
        text << (hints.of.empty() ? "" : " " + hints.of) << "\n";
    }
    write_file(file, text.str());
}

}  // namespace exercise
