#include "tutorials/exercises/runner/workshop.h"

#include "heed/tensor/quote.h"
#include "tutorials/exercises/runner/process.h"
#include "tutorials/exercises/runner/source.h"
#include "tutorials/support/text_file.h"

#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace exercise {

namespace {

constexpr double build_seconds = 1800;  // the first build includes the library

// The compiler's error lines, without the output of the build tools.
std::string errors_of(const std::string& output) {
    std::istringstream lines(output);
    std::string line, text;
    int kept = 0;
    while (std::getline(lines, line) && kept < 30) {
        if (line.rfind("make", 0) == 0 || line.rfind("gmake", 0) == 0) continue;
        if (line.rfind("[", 0) == 0 && line.find('%') != std::string::npos) continue;
        text += line + "\n";
        ++kept;
    }
    return text;
}

std::string after(const Report& report) {
    return report.at.empty() ? "before anything was tried" : report.at;
}

Attempt crashed(const Ended& ended, const Report& report) {
    return {Outcome::crashed,
            ended.output + "Your program crashed " + after(report) + ":\n  " +
                signal_text(ended.signal) + ".\n",
            {},
            {}};
}

Attempt too_slow(const Workshop& workshop, const Report& report) {
    std::ostringstream text;
    text << "Your program did not end within " << workshop.seconds << " seconds. It was "
         << after(report) << ".\nIs there a loop that never ends?\n";
    return {Outcome::timed_out, text.str(), {}, {}};
}

bool is_verdict(int exit_code) { return exit_code == 0 || exit_code == 10 || exit_code == 11; }

}  // namespace

std::string Workshop::program(const Entry& entry) const {
    return build + "/tutorials/exercises/" + (prefix == "exercise_" ? "" : prefix) + entry.name;
}

std::string build(const Workshop& workshop, const Entry& entry) {
    const Ended built = run(
        {"cmake", "--build", workshop.build, "--target", workshop.prefix + entry.name, "-j", "2"},
        build_seconds);
    if (built.exit_code == 0 && built.signal == 0) return "";
    const std::string errors = errors_of(built.output);
    return errors.empty() ? built.output : errors;
}

Attempt attempt(const Workshop& workshop, const Entry& entry) {
    if (access(workshop.file(entry).c_str(), R_OK) != 0) {
        throw std::runtime_error(heed::printable(workshop.file(entry)) +
                                 " is not there; `exercises reset " + entry.number + "` makes it");
    }
    const std::string errors = build(workshop, entry);
    if (!errors.empty()) {
        return {Outcome::uncompiled, "This does not compile:\n\n" + errors, {}, {}};
    }
    const std::string file = workshop.program(entry) + ".report";
    std::remove(file.c_str());
    const Ended ended = run({workshop.program(entry), "--report", file}, workshop.seconds);
    std::istringstream lines(access(file.c_str(), R_OK) == 0 ? tutorial::read_text_file(file) : "");
    const Report report = read_report(lines);
    if (ended.timed_out) return too_slow(workshop, report);
    if (ended.signal != 0) return crashed(ended, report);
    if (!report.finished || !is_verdict(ended.exit_code)) {
        return {Outcome::crashed,
                ended.output + "Your program ended " + after(report) + ", with exit code " +
                    std::to_string(ended.exit_code) + " and no verdict.\n",
                {},
                {}};
    }
    return {report.verdict.outcome, ended.output, report.verdict.ids, report.verdict.hints};
}

bool reset(const Workshop& workshop, const Entry& entry) {
    const std::string file = workshop.file(entry);
    const std::string stub =
        stub_of(tutorial::read_text_file(workshop.solutions + "/" + entry.name + ".cpp"));
    const bool is_there = access(file.c_str(), F_OK) == 0;
    const std::string yours = is_there ? tutorial::read_text_file(file) : "";
    if (is_there && yours != stub) write_file(file + ".bak", yours);
    write_file(file, stub);
    return is_there && yours != stub;
}

}  // namespace exercise
