#include "tutorials/exercises/runner/workshop.h"

#include "tensor/errors.h"
#include "tensor/quote.h"
#include "tutorials/exercises/runner/process.h"
#include "tutorials/exercises/runner/shortcuts.h"
#include "tutorials/exercises/runner/text.h"
#include "tutorials/support/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include <poll.h>
#include <unistd.h>

namespace exercise {
namespace {
std::string after(const Report& report) {
    return report.at.empty() ? "before anything was tried" : report.at;
}

// The output of the learner's own code, set off from what follows.
std::string printed(const Ended& ended) {
    const std::string text = harmless(ended.output);
    if (text.empty()) return "";
    return text + (text.back() == '\n' ? "\n" : "\n\n");
}

// One line of words: a report's line breaks have become spaces.
std::string prose(const std::string& text) {
    std::istringstream words(text);
    std::string line, word;
    while (words >> word) line += (line.empty() ? "" : " ") + word;
    return line;
}

std::string verdict_text(const Entry& entry, const Verdict& verdict) {
    std::string text = entry.number + " " + entry.title + ": " + in_words(verdict.outcome);
    if (verdict.outcome == Outcome::broken) text += ", which is the exercise's fault";
    text += "\n";
    if (verdict.outcome == Outcome::passed) {
        const std::string checks = std::to_string(verdict.checks_run);
        return text + "  " + checks + " of " + checks + " checks hold.\n";
    }
    text += "\n  " + harmless(prose(verdict.seen)) + "\n";
    if (!verdict.resembles.empty()) text += "\n  " + harmless(prose(verdict.resembles)) + "\n";
    return text;
}

Attempt judged(const Workshop& workshop, const Entry& entry, const Ended& ended,
               const Report& report) {
    const std::string code = std::to_string(ended.exit_code);
    const auto crashed = [&](const std::string& how) {
        return Attempt{Outcome::crashed, printed(ended) + "Your program " + how};
    };
    if (ended.timed_out) {
        return {Outcome::timed_out, heed::text(printed(ended), "Your program did not end within ",
                                               workshop.seconds, " seconds. It was ", after(report),
                                               ".\nIs there a loop that never ends?\n")};
    }
    if (ended.signal != 0) {
        return crashed("crashed " + after(report) + ":\n  " + signal_text(ended.signal) + ".\n");
    }
    if (!report.finished) {
        return crashed("ended " + after(report) + ", with exit code " + code +
                       " and no verdict.\n");
    }
    if (ended.exit_code != static_cast<int>(report.verdict.outcome)) {
        return crashed("reached a verdict and then ended with exit code " + code +
                       ", which is not the verdict's: what runs after main?\n");
    }
    return {report.verdict.outcome, printed(ended) + verdict_text(entry, report.verdict),
            joined(report.verdict.ids, "+"), report.verdict.hints};
}

// A file that is removed at the end of its scope.
struct Temporary {
    std::string name;
    ~Temporary() { std::remove(name.c_str()); }
};

Attempt run_program(const Workshop& workshop, const Entry& entry) {
    const std::string program = workshop.program(entry);
    const Temporary file{program + ".report" + std::to_string(getpid())};
    std::remove(file.name.c_str());
    Job job;
    job.command = {program, "--report", file.name, "--quiet"};
    job.seconds = workshop.seconds;
    job.stop = workshop.waiting.stop;
    const Ended ended = run(job);
    std::istringstream lines(text_if_any(file.name));
    return judged(workshop, entry, ended, read_report(lines));
}

// A right answer that leaves the work to the library is not yet one where the exercise asks to
// write it oneself.
Attempt unless_by_the_library(const Attempt& tried, const Workshop& workshop, const Entry& entry) {
    if (tried.outcome != Outcome::passed) return tried;
    const std::string used =
        first_used(forbidden_names(workshop.made + "/without.txt", entry.number),
                   text_if_any(workshop.file(entry)));
    if (used.empty()) return tried;
    const std::string heading =
        entry.number + " " + entry.title + ": " + in_words(Outcome::wrong) + "\n\n  ";
    return {Outcome::wrong,
            heading + "Your numbers are right, but your file has " + used +
                " in it, and the exercise asks you to write yourself what the library has there.\n",
            "",
            {"What would you write in place of " + used + "? Take it out of your file."}};
}

Attempt attempt_once(const Workshop& workshop, const Entry& entry) {
    const std::string errors = build_program(workshop, entry);
    if (!errors.empty()) return {Outcome::uncompiled, "This does not compile:\n\n" + errors};
    return unless_by_the_library(run_program(workshop, entry), workshop, entry);
}

Lock lock_of_build(const Workshop& workshop) {
    return Lock(workshop.build, [&] {
        workshop.waiting.say("Another runner builds or runs in " + heed::printable(workshop.build) +
                             "; waiting for it ...");
    });
}

}  // namespace

std::string in_words(Outcome outcome) {
    switch (outcome) {
    case Outcome::passed:
        return "passed";
    case Outcome::not_done:
        return "not done yet";
    case Outcome::wrong:
        return "not yet right";
    case Outcome::crashed:
        return "crashed";
    case Outcome::timed_out:
        return "did not end";
    case Outcome::uncompiled:
        return "does not compile";
    case Outcome::broken:
        break;
    }
    return "could not be judged";
}

std::string Workshop::program(const Entry& entry) const {
    return build + "/tutorials/exercises/" + (prefix == "exercise_" ? "" : prefix) + entry.name;
}

std::string Workshop::stub(const Entry& entry) const {
    return tutorial::read_text_file(made + "/stubs/" + entry.name + ".cpp");
}

std::string Workshop::solution(const Entry& entry) const {
    return tutorial::read_text_file(made + "/solutions/" + entry.name + ".cpp");
}

Stamp stamp_when_there(const Workshop& workshop, const Entry& entry) {
    const std::string file = workshop.file(entry), name = heed::printable(file);
    const std::string reset = "`exercises reset " + entry.number + "`";
    const std::string watching = ", and so does x where you watch";
    for (int i = 0; i < 20 && is_blank(workshop, entry); ++i) poll(nullptr, 0, 50);
    if (access(file.c_str(), R_OK) == 0) {
        if (!is_blank(workshop, entry)) return stamp_of(file);
        throw std::runtime_error(name + " is empty; " + reset + " puts it back" + watching);
    }
    if (errno != ENOENT) {
        throw std::runtime_error("cannot read " + name + ": " + std::strerror(errno));
    }
    throw std::runtime_error(name + " is not there; " + reset + " makes it" + watching);
}

std::string build(const Workshop& workshop, const Entry& entry) {
    const Lock lock = lock_of_build(workshop);
    stamp_when_there(workshop, entry);
    return build_program(workshop, entry);
}

Attempt attempt(const Workshop& workshop, const Entry& entry) {
    constexpr int most_tries = 5;  // against a file that is saved all the time
    const Lock lock = lock_of_build(workshop);
    for (int i = 1;; ++i) {
        const Stamp stamp = stamp_when_there(workshop, entry);
        Attempt tried = attempt_once(workshop, entry);
        tried.judged = stamp;
        if (stamp_of(workshop.file(entry)) == stamp || i == most_tries) return tried;
        workshop.waiting.status("The file was saved meanwhile: building it again ...");
    }
}

bool is_blank(const Workshop& workshop, const Entry& entry) {
    return text_if_any(workshop.file(entry)).find_first_not_of(" \t\r\n") == std::string::npos;
}

bool is_untouched(const Workshop& workshop, const Entry& entry) {
    return text_if_any(workshop.file(entry)) == workshop.stub(entry);
}

std::string reset(const Workshop& workshop, const Entry& entry) {
    const std::string file = workshop.file(entry);
    const Lock lock(workshop.folder);
    if (is_untouched(workshop, entry)) return "";
    const std::string aside = stamp_of(file).is_there() ? put_aside(file) : "";
    try {
        write_file(file, workshop.stub(entry));
    } catch (const std::runtime_error&) {
        if (!aside.empty()) std::rename(aside.c_str(), file.c_str());
        throw;
    }
    return aside;
}

}  // namespace exercise
