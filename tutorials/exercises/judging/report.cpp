#include "tutorials/exercises/judging/report.h"

#include <cstdlib>
#include <istream>
#include <ostream>

namespace exercise {

std::string entry(const std::string& word, const std::string& text) {
    std::string line = word + " " + text;
    for (char& c : line) {
        if (c == '\n') c = ' ';
    }
    return line + "\n";
}

void write(std::ostream& report, const Verdict& verdict) {
    report << entry("seen", verdict.seen) << entry("resembles", verdict.resembles);
    for (const std::string& id : verdict.ids) report << entry("id", id);
    for (const std::string& hint : verdict.hints) report << entry("hint", hint);
    report << entry("checks", std::to_string(verdict.checks_run))
           << entry("outcome", std::to_string(static_cast<int>(verdict.outcome))) << std::flush;
}

Report read_report(std::istream& report) {
    Report read;
    std::string line;
    while (std::getline(report, line)) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) continue;
        const std::string word = line.substr(0, space);
        const std::string rest = line.substr(space + 1);
        if (word == "at") read.at = rest;
        if (word == "seen") read.verdict.seen = rest;
        if (word == "resembles") read.verdict.resembles = rest;
        if (word == "id") read.verdict.ids.push_back(rest);
        if (word == "hint") read.verdict.hints.push_back(rest);
        if (word == "checks") read.verdict.checks_run = std::atoi(rest.c_str());
        if (word == "outcome") {
            read.verdict.outcome = static_cast<Outcome>(std::atoi(rest.c_str()));
            read.finished = true;
        }
    }
    return read;
}

}  // namespace exercise
