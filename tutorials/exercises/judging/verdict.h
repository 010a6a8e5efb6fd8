// Verdict: the judgement of an answer, and its wording.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace exercise {

// The exit codes of an exercise's program and, with crashed, timed_out and uncompiled, of the
// runner. 2 means an invalid command line, as in every program here.
enum class Outcome {
    passed = 0,
    broken = 1,  // the judge itself failed: fewer checks ran than were declared
    not_done = 10,
    wrong = 11,
    crashed = 12,
    timed_out = 13,
    uncompiled = 14
};

struct Verdict {
    Outcome outcome = Outcome::passed;
    std::string number, title;
    std::string seen;                   // the first finding
    std::string resembles = "";         // the mistake it resembles, if known
    std::vector<std::string> ids = {};  // ids of those mistakes: none, one or two
    std::vector<std::string> hints = {};
    int checks_run = 0;
    int checks = 0;
};

// Prints it for people.
void print(std::ostream& out, const Verdict& verdict);

}  // namespace exercise
