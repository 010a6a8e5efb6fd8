// exercises: lists the exercises, judges the learner's answers and gives hints. Without a command
// it watches the current exercise.
#include "heed/tensor/quote.h"
#include "tutorials/exercises/runner/session.h"
#include "tutorials/exercises/runner/source.h"
#include "tutorials/exercises/runner/watch.h"
#include "tutorials/support/output.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using exercise::Entry;
using exercise::Session;
using exercise::Workshop;

const char* const usage =
    "exercises                watch the current one: it is judged whenever you save its file\n"
    "exercises list           all of them, and how far you are\n"
    "exercises run [N]        judge one: 08.1, or the current one\n"
    "exercises hint [N]       a hint for what was seen last; ask again for the next step\n"
    "exercises why [N]        what was seen, and what it looks like\n"
    "exercises debug [N]      start the debugger in your code\n"
    "exercises reset N        put the file back; yours is kept as .bak\n"
    "exercises solution [N]   show ours\n"
    "exercises check-all      judge all\n"
    "exercises write stubs DIR, exercises write solutions DIR\n"
    "                         all files into a folder, for a class\n"
    "\n"
    "options: --folder DIR (your files), --build DIR, --progress FILE, --timeout SECONDS\n"
    "exit codes: 0 passed, 10 not done yet, 11 not yet right, 12 crashed, 13 did not end,\n"
    "14 does not compile, 2 not understood or not possible\n";

class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct Arguments {
    Workshop workshop;
    std::vector<std::string> words;
    bool help = false;
};

double seconds_of(const std::string& text) {
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(seconds > 0) || seconds > 1e6) {
        throw UsageError("--timeout must be a number of seconds, not " + heed::quoted(text));
    }
    return seconds;
}

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    Workshop& workshop = arguments.workshop;
    const std::string source = HEED_EXERCISES_SOURCE;
    workshop.folder = HEED_EXERCISES_FOLDER;
    workshop.solutions = source + "/solutions";
    workshop.build = HEED_EXERCISES_BUILD;
    workshop.prefix = "exercise_";
    workshop.debugger = source + "/../debugger/init.gdb";
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.rfind("--", 0) != 0) {
            arguments.words.push_back(word);
            continue;
        }
        if (word == "--help") {
            arguments.help = true;
            continue;
        }
        if (i + 1 >= argc) throw UsageError(heed::quoted(word) + " needs a value");
        const std::string value = argv[++i];
        if (word == "--folder") {
            workshop.folder = value;
        } else if (word == "--build") {
            workshop.build = value;
        } else if (word == "--progress") {
            workshop.progress = value;
        } else if (word == "--targets") {
            workshop.prefix = value;  // for tests, which have their own targets
        } else if (word == "--timeout") {
            workshop.seconds = seconds_of(value);
        } else {
            throw UsageError("not understood: " + heed::quoted(word));
        }
    }
    if (workshop.progress.empty()) workshop.progress = workshop.folder + "/progress.txt";
    return arguments;
}

int obey(Session& session, const std::string& command, const std::string& which) {
    if (command == "list") {
        session.list(std::cout);
        return 0;
    }
    if (command == "check-all") return static_cast<int>(session.check_all(std::cout));
    if (command == "reset" && which.empty()) throw UsageError("reset needs a number: reset 08.1");
    const Entry entry = session.choose(which);
    if (command == "run") return static_cast<int>(session.run(std::cout, entry));
    if (command == "debug") return session.debug(entry);
    if (command == "hint") {
        session.hint(std::cout, entry);
    } else if (command == "why") {
        session.why(std::cout, entry);
    } else if (command == "reset") {
        session.reset(std::cout, entry);
    } else if (command == "solution") {
        session.solution(std::cout, entry);
    } else {
        throw UsageError("there is no command " + heed::quoted(command));
    }
    return 0;
}

int run(const Arguments& arguments) {
    if (arguments.help) {
        std::cout << usage;
        return 0;
    }
    const std::vector<std::string>& words = arguments.words;
    const bool writes = !words.empty() && words[0] == "write";
    if (words.size() > (writes ? 3 : 2))
        throw UsageError("too many words: " + heed::quoted(words.back()));
    if (writes && words.size() < 3) throw UsageError("write what, and where? write stubs DIR");
    Session session(arguments.workshop, std::string(HEED_EXERCISES_SOURCE) + "/list.txt");
    if (writes) {
        session.write_all(words[1], words[2]);
        return 0;
    }
    if (words.empty()) {
        if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) return exercise::watch(session);
        return obey(session, "run", "");
    }
    return obey(session, words[0], words.size() > 1 ? words[1] : "");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return tutorial::finish_output("exercises", run(parse(argc, argv)));
    } catch (const UsageError& error) {
        std::cerr << error.what() << "\n\n" << usage;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
    }
    return 2;
}
