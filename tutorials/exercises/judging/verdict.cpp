#include "tutorials/exercises/judging/verdict.h"

#include "tutorials/support/terminal.h"

#include <ostream>

namespace exercise {
namespace {
const char* heading(Outcome outcome) {
    switch (outcome) {
    case Outcome::passed:
        return "passed";
    case Outcome::not_done:
        return "not done yet";
    default:
        return "not yet right";
    }
}

}  // namespace

void print(std::ostream& out, const Verdict& verdict) {
    out << verdict.number << " " << verdict.title << ": " << heading(verdict.outcome) << "\n";
    if (verdict.outcome == Outcome::passed) {
        out << "  " << verdict.checks_run << " of " << verdict.checks << " checks hold.\n";
        return;
    }
    out << "\n";
    tutorial::print_wrapped(out, "  ", verdict.seen);
    if (verdict.resembles.empty()) return;
    out << "\n";
    tutorial::print_wrapped(out, "  ", verdict.resembles);
}

}  // namespace exercise
