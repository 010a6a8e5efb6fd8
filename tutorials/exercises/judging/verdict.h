// Verdict: what was found of an answer, and how it is said.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace exercise {

// The exit codes of an exercise's program, and with crashed, timed_out and uncompiled those of the
// runner. 2 is a command line that is not understood, as in every program here.
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
    std::string seen;                   // what is seen: the first finding
    std::string resembles = "";         // what it looks like, where that is known
    std::vector<std::string> ids = {};  // the mistakes it looks like: none, one or two
    std::vector<std::string> hints = {};
    int checks_run = 0;
    int checks = 0;
};

// As a person reads it.
void print(std::ostream& out, const Verdict& verdict);

}  // namespace exercise
