#include "tutorials/exercises/runner/progress.h"

#include "tensor/quote.h"
#include "tutorials/exercises/runner/files.h"
#include "tutorials/exercises/runner/text.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace exercise {
namespace {
// The words of one line.
struct Words {
    std::string word, number, of;
    int shown = 0;
    bool are_understood = false;

    explicit Words(const std::string& line) {
        std::istringstream words(line);
        std::string more;
        words >> word >> number;
        are_understood = !number.empty() && (word == "current" || word == "done" || word == "hint");
        if (word == "hint") {
            are_understood = are_understood && words >> shown && shown >= 0;
            words >> of;
        }
        if (words >> more) are_understood = false;
    }
};

void take(Progress& progress, const Words& words) {
    if (words.word == "current") progress.current = words.number;
    if (words.word == "done") progress.done.insert(words.number);
    if (words.word == "hint") progress.hints[words.number] = {words.shown, words.of};
}

bool is_in(const std::vector<Entry>& list, const std::string& number) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Entry& entry) { return entry.number == number; });
}

// Without the byte order mark and carriage returns of Windows.
std::string plain(std::string line, bool is_first) {
    if (is_first && line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
}

void take_all(Progress& progress, const std::string& file, std::istream& text,
              const std::vector<Entry>& list) {
    std::set<std::string> unknown;
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        line = plain(line, number == 1);
        if (line.empty()) continue;
        const Words words(line);
        if (words.are_understood && is_in(list, words.number)) {
            take(progress, words);
            continue;
        }
        progress.others.push_back(line);
        if (words.are_understood) {
            unknown.insert(heed::printable(words.number));
            continue;
        }
        progress.remarks.push_back(heed::printable(file) + ", line " + std::to_string(number) +
                                   " is not understood: " + heed::in_quotes(line) +
                                   ". It is ignored, and stays in the file: fix it, or delete it.");
    }
    if (unknown.empty()) return;
    progress.remarks.push_back(heed::printable(file) +
                               " names exercises that do not exist here: " + joined(unknown, ", ") +
                               ". They are ignored; their lines stay in the file.");
}

std::string text_of(const Progress& progress) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    if (!progress.current.empty()) text << "current " << progress.current << "\n";
    for (const std::string& number : progress.done) text << "done " << number << "\n";
    for (const auto& [number, hints] : progress.hints) {
        text << "hint " << number << " " << hints.shown;
        text << (hints.of.empty() ? "" : " " + hints.of) << "\n";
    }
    for (const std::string& line : progress.others) {
        const Words words(line);
        const bool is_replaced =
            words.are_understood && words.word == "current" && !progress.current.empty();
        if (!is_replaced) text << line << "\n";
    }
    return text.str();
}

std::string folder_of(const std::string& file) {
    const std::string folder = std::filesystem::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

}  // namespace

Progress read_progress(const std::string& file, const std::vector<Entry>& list) {
    Progress progress;
    std::error_code none;
    const std::filesystem::file_type kind = std::filesystem::symlink_status(file, none).type();
    if (kind == std::filesystem::file_type::not_found) return progress;
    try {
        std::istringstream text(tutorial::read_text_file(file));
        take_all(progress, file, text, list);
    } catch (const std::runtime_error& error) {
        progress.is_readable = false;
        progress.remarks.push_back(std::string("Your progress cannot be read or kept: ") +
                                   error.what() +
                                   ". Move it away, or name another with --progress FILE.");
    }
    return progress;
}

std::string change_progress(const std::string& file, const std::vector<Entry>& list,
                            Progress& progress, const std::function<void(Progress&)>& change) {
    const Lock lock(folder_of(file));
    Progress fresh = read_progress(file, list);
    if (!fresh.is_readable) {
        const bool is_said = !progress.is_readable;
        change(progress);
        progress.is_readable = false;
        progress.remarks = fresh.remarks;
        return is_said ? "" : fresh.remarks.back();
    }
    change(fresh);
    progress = fresh;
    try {
        write_file(file, text_of(progress));
    } catch (const std::runtime_error& error) {
        return std::string("Your progress is not kept: ") + error.what() +
               ". --progress FILE keeps it elsewhere.";
    }
    return "";
}

}  // namespace exercise
