#include "tutorials/exercises/runner/shortcuts.h"

#include "tutorials/exercises/runner/files.h"

#include <sstream>

namespace exercise {
namespace {
bool is_of_a_word(char c) {
    return ('0' <= c && c <= '9') || ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z') || c == '_';
}

// Where the comment that begins there ends; the same place if none does.
std::size_t end_of_comment(const std::string& code, std::size_t at) {
    const bool is_line = code.compare(at, 2, "//") == 0, is_block = code.compare(at, 2, "/*") == 0;
    if (!is_line && !is_block) return at;
    const std::size_t end = code.find(is_line ? "\n" : "*/", at + 2);
    return end == std::string::npos ? code.size() : end + (is_line ? 0 : 2);
}

std::string without_comments(const std::string& code) {
    std::string left;
    bool in_string = false;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const std::size_t end = in_string ? at : end_of_comment(code, at);
        if (end > at) left += ' ';
        at = end;
        if (at == code.size()) break;
        if (code[at] == '\n') in_string = false;
        if (code[at] == '"' && (at == 0 || code[at - 1] != '\\')) in_string = !in_string;
        left += code[at];
    }
    return left;
}

bool has_word(const std::string& code, const std::string& name) {
    for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool begins = at == 0 || !is_of_a_word(code[at - 1]);
        if (begins && (end == code.size() || !is_of_a_word(code[end]))) return true;
    }
    return false;
}

}  // namespace

std::vector<std::string> forbidden_names(const std::string& file, const std::string& number) {
    std::istringstream lines(text_if_any(file));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        if (!(words >> word) || word != number) continue;
        std::vector<std::string> names;
        while (words >> word) names.push_back(word);
        return names;
    }
    return {};
}

std::string first_used(const std::vector<std::string>& names, const std::string& code) {
    const std::string left = without_comments(code);
    for (const std::string& name : names) {
        if (has_word(left, name)) return name;
    }
    return "";
}

}  // namespace exercise
