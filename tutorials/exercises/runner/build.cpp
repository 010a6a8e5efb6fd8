// build_program(): builds an exercise's program from the learner's file as it is now.

#include "tensor/quote.h"
#include "tutorials/exercises/runner/failure.h"
#include "tutorials/exercises/runner/process.h"
#include "tutorials/exercises/runner/terminal.h"
#include "tutorials/exercises/runner/text.h"
#include "tutorials/exercises/runner/workshop.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <thread>

namespace exercise {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t most_log = 4 << 20;

// Only these targets follow the folder: the tests' targets have files of their own.
bool follows_folder(const Workshop& workshop) { return workshop.prefix == "exercise_"; }

// The folders of CMakeLists.txt: the one whose files are built, which is the learner's own or, if
// that is set, another.
struct Folders {
    std::string own, other;
    const std::string& built() const { return other.empty() ? own : other; }
};

Folders folders_of_build(const Workshop& workshop) {
    const std::string cache = workshop.build + "/CMakeCache.txt";
    if (!stamp_of(cache).is_there()) {
        throw std::runtime_error(
            heed::printable(workshop.build) +
            " is not a build folder (it has no CMakeCache.txt). In heed's folder, "
            "`cmake --workflow --preset exercises` makes build/debug; --build "
            "DIR names another.");
    }
    Folders folders;
    for (const std::string& line : lines_of(tutorial::read_text_file(cache))) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = line.substr(0, line.find(':'));
        if (name == "HEED_EXERCISES_FOLDER") folders.own = line.substr(equals + 1);
        if (name == "HEED_EXERCISES_OTHER_FOLDER") folders.other = line.substr(equals + 1);
    }
    return folders;
}

// `line`: called for each line that says how far a build is.
Ended run_tool(
    const Workshop& workshop, const std::vector<std::string>& command,
    const std::function<void(const std::string&)>& line = [](const std::string&) {}) {
    Job job;
    job.command = command;
    job.most = job.most_lines = most_log;
    job.is_tool = true;
    job.stop = workshop.waiting.stop;
    job.line = [&](const std::string& said) {
        if (!is_build_progress(said)) return;
        line(said);
        workshop.waiting.status(harmless(said));
    };
    return run(job);
}

// Makes the targets again, for the files that exist now.
void configure(const Workshop& workshop, const Folders& folders) {
    const bool is_own = same_folder(workshop.folder, folders.own) || !follows_folder(workshop);
    const std::string other = is_own ? "" : workshop.folder;
    const Ended ended = run_tool(
        workshop, {"cmake", "-D", "HEED_EXERCISES_OTHER_FOLDER:STRING=" + other, workshop.build});
    if (ended.exit_code == 0 && ended.signal == 0) return;
    throw std::runtime_error("cmake could not set " + heed::printable(workshop.build) +
                             " to the files of " + heed::printable(workshop.folder) + ":\n" +
                             first_errors(harmless(ended.output), 20, columns()));
}

// Sets the build folder to the learner's files.
void follow_folder(const Workshop& workshop, const Folders& folders) {
    if (!follows_folder(workshop) || same_folder(folders.built(), workshop.folder)) return;
    workshop.waiting.say("The build in " + heed::printable(workshop.build) +
                         " is set from the files of " + heed::printable(folders.built()) +
                         " to those of " + heed::printable(workshop.folder) + " ...");
    configure(workshop, folders);
}

// Is the line about compiling something other than the learner's file?
bool is_of_library(const std::string& line, const Entry& entry) {
    return line.find("Building C") != std::string::npos &&
           line.find(entry.name) == std::string::npos;
}

Ended run_build(const Workshop& workshop, const Entry& entry, bool is_first) {
    bool is_said = is_first;
    const auto say_why_it_takes_time = [&](const std::string& line) {
        if (is_said || !is_of_library(line, entry)) return;
        is_said = true;
        workshop.waiting.say(
            "The library or the judges have changed since they were built, so they are built "
            "again first, which may take some minutes.");
    };
    std::vector<std::string> command = {"cmake", "--build", workshop.build, "--target",
                                        workshop.prefix + entry.name};
    if (std::getenv("CMAKE_BUILD_PARALLEL_LEVEL") == nullptr) {
        const unsigned jobs = std::max(2U, std::thread::hardware_concurrency());
        command.insert(command.end(), {"-j", std::to_string(jobs)});
    }
    return run_tool(workshop, command, say_why_it_takes_time);
}

// Build tools compare times: they miss a file that was saved while it was being compiled, and one
// that is older than its program, such as a backup put back. So the text a program was built from
// is recorded, and object files made from any other text are removed.
class Origin {
  public:
    Origin(const Workshop& workshop, const Entry& entry)
        : workshop_(workshop), entry_(entry), record_(workshop.program(entry) + ".origin"),
          before_(stamp_of(workshop.file(entry))), now_(text_if_any(workshop.file(entry))) {
        if (!now_.empty() && text_if_any(record_) == text()) return;
        remove_objects();
        forget();
    }
    void forget() { std::remove(record_.c_str()); }
    void keep() {
        if (now_.empty() || !(stamp_of(workshop_.file(entry_)) == before_)) return forget();
        try {
            write_file(record_, text());
        } catch (const std::runtime_error&) {
            forget();  // it will be built again, no more
        }
    }

  private:
    std::string text() const {
        const Stamp program = stamp_of(workshop_.program(entry_));
        return std::to_string(program.time) + " " + std::to_string(program.size) + "\n" + now_;
    }

    void remove_objects() {
        for (const char* floor : {"/tutorials/exercises", "/tests/tutorials/exercises"}) {
            const fs::path objects =
                workshop_.build + floor + "/CMakeFiles/" + workshop_.prefix + entry_.name + ".dir";
            std::error_code none;
            std::vector<fs::path> found;
            for (const fs::directory_entry& file :
                 fs::recursive_directory_iterator(objects, none)) {
                if (file.path().extension() == ".o") found.push_back(file.path());
            }
            for (const fs::path& file : found) fs::remove(file, none);
        }
    }

    const Workshop& workshop_;
    const Entry& entry_;
    const std::string record_;
    const Stamp before_;
    const std::string now_;
};

bool succeeded(const Ended& ended) { return ended.exit_code == 0 && ended.signal == 0; }

// A file that did not exist when the build was configured has no target yet.
bool lacks_target(const Workshop& workshop, const Entry& entry, const std::string& output) {
    const std::string target = workshop.prefix + entry.name;
    return output.find("No rule to make target '" + target + "'") != std::string::npos ||
           output.find("unknown target '" + target + "'") != std::string::npos;
}

std::string said(const Workshop& workshop, const Entry& entry, const std::string& output) {
    const std::string log = workshop.program(entry) + ".log";
    const std::size_t others = 8;  // lines around it, the keys among them
    const std::size_t room = rows() > others + 6 ? rows() - others : 6;
    const std::string text = harmless(output);
    std::string where = "\n";
    try {
        write_file(log, text);
        where += "All of it is in " + log + "\n";
    } catch (const std::runtime_error& error) {
        where = "";
    }
    return first_errors(text, room, columns()) + where;
}

}  // namespace

std::string build_program(const Workshop& workshop, const Entry& entry) {
    const Folders folders = folders_of_build(workshop);
    follow_folder(workshop, folders);
    const std::string judges = workshop.build + "/tutorials/exercises/libexercise_judges.a";
    const bool is_first = follows_folder(workshop) && !stamp_of(judges).is_there();
    if (is_first) {
        workshop.waiting.say("The first build takes some minutes, since it builds the library.");
    }
    Origin origin(workshop, entry);
    Ended built = run_build(workshop, entry, is_first);
    if (!succeeded(built) && lacks_target(workshop, entry, built.output)) {
        configure(workshop, folders);
        built = run_build(workshop, entry, is_first);
    }
    if (!succeeded(built)) {
        origin.forget();
        const std::string errors = said(workshop, entry, built.output);
        const Failure failure =
            built.signal != 0
                ? Failure{"the build was killed from outside", "Often the memory was used up."}
                : failure_in(harmless(built.output), workshop.file(entry),
                             workshop.prefix + entry.name);
        if (failure.reason.empty()) return errors;
        throw std::runtime_error(entry.number + " cannot be judged, because " + failure.reason +
                                 ". The mistake is not in your file.\n\n" + errors + "\n" +
                                 failure.advice);
    }
    origin.keep();
    return "";
}

}  // namespace exercise
