// The report: a verdict as lines for the runner, each a keyword and the rest of the line.
//     at on 5 words in 2 batches
//     outcome 11
//     id mask.strict
//     hint Which word may the first one see?
#pragma once

#include "tutorials/exercises/judging/verdict.h"

#include <iosfwd>
#include <string>

namespace exercise {

// Formats one line, such as "at on 5 words\n"; line breaks within `text` become spaces.
std::string entry(const std::string& word, const std::string& text);
void write(std::ostream& report, const Verdict& verdict);

struct Report {
    std::string at;         // the last thing tried
    bool finished = false;  // was a verdict reached?
    Verdict verdict;
};

// Unrecognized lines are skipped: a crash may leave a partial line.
Report read_report(std::istream& report);

}  // namespace exercise
