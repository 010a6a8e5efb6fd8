#include "tutorials/exercises/runner/list.h"

#include "tensor/quote.h"
#include "tutorials/support/text_file.h"

#include <sstream>
#include <stdexcept>

namespace exercise {

std::vector<Entry> read_list(const std::string& file) {
    std::istringstream text(tutorial::read_text_file(file));
    std::vector<Entry> list;
    for (Entry one; text >> one.number >> one.name >> one.kind >> one.minutes >> one.function;) {
        std::getline(text >> std::ws, one.title);
        list.push_back(one);
    }
    if (list.empty()) throw std::runtime_error("there is no exercise in " + heed::printable(file));
    return list;
}

const Entry& find(const std::vector<Entry>& list, const std::string& which) {
    for (const Entry& entry : list) {
        const bool is_short = entry.number.front() == '0' && entry.number.substr(1) == which;
        if (entry.number == which || entry.name == which || is_short) return entry;
    }
    throw std::invalid_argument("there is no exercise " + heed::in_quotes(which) + "; they are " +
                                list.front().number + " to " + list.back().number +
                                ", and `exercises list` shows them");
}

}  // namespace exercise
