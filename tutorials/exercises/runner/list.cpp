#include "tutorials/exercises/runner/list.h"

#include "tensor/quote.h"
#include "tutorials/support/text_file.h"

#include <sstream>
#include <stdexcept>

namespace exercise {

namespace {

Entry read_entry(const std::string& line) {
    Entry entry;
    std::istringstream words(line);
    words >> entry.number >> entry.name >> entry.kind >> entry.minutes >> entry.function >> std::ws;
    std::getline(words, entry.title);
    if (entry.title.empty())
        throw std::runtime_error("list.txt: not understood: " + heed::quoted(line));
    return entry;
}

}  // namespace

std::vector<Entry> read_list(const std::string& file) {
    std::istringstream text(tutorial::read_text_file(file));
    std::vector<Entry> list;
    std::string line;
    while (std::getline(text, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (!line.empty() && line.front() != '#') list.push_back(read_entry(line));
    }
    if (list.empty()) throw std::runtime_error("there is no exercise in " + heed::printable(file));
    return list;
}

const Entry& find(const std::vector<Entry>& list, const std::string& which) {
    for (const Entry& entry : list) {
        const bool is_short = entry.number.front() == '0' && entry.number.substr(1) == which;
        if (entry.number == which || entry.name == which || is_short) return entry;
    }
    throw std::invalid_argument("there is no exercise " + heed::quoted(which) + "; they are " +
                                list.front().number + " to " + list.back().number +
                                ", and `exercises list` shows them");
}

}  // namespace exercise
