#include "tutorials/13_alignment/said.h"

#include "tutorials/13_alignment/pairs.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <ostream>

std::size_t right_until(const std::vector<std::string>& said,
                        const std::vector<std::string>& right) {
    const auto differ = std::mismatch(said.begin(), said.end(), right.begin(), right.end());
    return static_cast<std::size_t>(differ.first - said.begin());
}

void print_said(std::ostream& out, const std::string& who, const std::vector<std::string>& said,
                const std::vector<std::string>& right) {
    std::vector<std::string> words = said;
    const std::size_t until = right_until(said, right);
    if (said != right) words.insert(words.begin() + static_cast<std::ptrdiff_t>(until), "|");
    tutorial::print_wrapped(out, "    " + who, "        ",
                            text_of_words(words) + (said == right ? "" : "  (wrong)"));
}
