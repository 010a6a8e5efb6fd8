// exercises: lists the exercises, judges the learner's answers and gives hints. Without a command
// it watches the current exercise.
#include "tensor/quote.h"
#include "tutorials/exercises/runner/page.h"
#include "tutorials/exercises/runner/session.h"
#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"
#include "tutorials/exercises/runner/text.h"
#include "tutorials/exercises/runner/watch.h"
#include "tutorials/support/output.h"
#include "tutorials/support/text_file.h"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {
using namespace exercise;

const char* const usage =
    "exercises               watch the current one: it is judged whenever it is saved\n"
    "exercises list          all of them, and how far you are\n"
    "exercises run [N]       judge one: 08.1, or the current one\n"
    "exercises go N          make another the current one\n"
    "exercises hint [N]      a hint for what was seen last; again for the next step\n"
    "exercises why [N]       what was seen, and what it looks like\n"
    "exercises debug [N]     start the debugger in your code\n"
    "exercises reset N       put the file back; yours is kept: .bak, .bak.2 and so on\n"
    "exercises solution [N]  show ours; on a terminal it asks first, if not passed\n"
    "exercises check-all     judge all; Ctrl-C ends it, and what was found is kept\n"
    "exercises write stubs DIR, exercises write solutions DIR\n"
    "                        all files into a folder, for a class\n"
    "\n"
    "options: --folder DIR (your files, or a student's), --build DIR,\n"
    "--progress FILE, --timeout SECONDS\n"
    "exit codes: 0 passed, 10 not done yet, 11 not yet right, 12 crashed,\n"
    "13 did not end, 14 does not compile, 2 not understood or not possible\n";

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
    double seconds = 0;
    if (!tutorial::parse_number(text, seconds) || !(seconds > 0) || seconds > 1e6) {
        throw UsageError("--timeout must be a number of seconds, not " + heed::in_quotes(text));
    }
    return seconds;
}

// As an absolute path, since the build has another working directory.
std::string folder_of(const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code none;
    if (!fs::is_directory(name, none)) {
        throw std::runtime_error("--folder: there is no folder " + heed::in_quotes(name));
    }
    return fs::canonical(name).string();
}

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    Workshop& workshop = arguments.workshop;
    using Value = const std::string&;
    const std::map<std::string, std::function<void(Value)>> options = {
        {"--folder", [&](Value value) { workshop.folder = folder_of(value); }},
        {"--build", [&](Value value) { workshop.build = value; }},
        {"--progress", [&](Value value) { workshop.progress = value; }},
        {"--targets", [&](Value value) { workshop.prefix = value; }},  // tests have their own
        {"--timeout", [&](Value value) { workshop.seconds = seconds_of(value); }},
    };
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto option = options.find(word);
        if (word == "--help") {
            arguments.help = true;
        } else if (word.rfind("--", 0) != 0) {
            arguments.words.push_back(word);
        } else if (option == options.end()) {
            throw UsageError("not understood: " + heed::in_quotes(word));
        } else if (++i == argc) {
            throw UsageError(heed::in_quotes(word) + " needs a value");
        } else {
            option->second(argv[i]);
        }
    }
    if (workshop.progress.empty()) workshop.progress = workshop.folder + "/progress.txt";
    return arguments;
}

bool is_yes(Page& page, const std::string& question) {
    const KeyByKey mode;
    page.out << question << " (y/n) " << std::flush;
    int answer = no_key;
    while (answer == no_key) answer = key(200);
    page.out << (answer == 'y' ? "yes\n" : "no\n");
    return answer == 'y';
}

void show_solution(Session& session, Page& page, const Entry& entry) {
    const std::string question = session.question_before_solution(entry);
    if (!question.empty() && is_interactive() && !is_yes(page, question)) return;
    page.as_it_stands(session.solution(entry));
}

int obey(Session& session, Page& page, const std::string& command, const std::string& which) {
    if (command == "list") {
        session.list(page.out);
        return 0;
    }
    if (command == "check-all") return static_cast<int>(session.check_all(page.out));
    if (which.empty() && (command == "reset" || command == "go")) {
        throw UsageError(command + " needs a number: " + command + " 08.1");
    }
    const Entry entry = session.choose(which);
    if (command == "run") return static_cast<int>(session.run(page.out, entry).outcome);
    if (command == "debug") {
        session.build(entry);
        return session.debug(entry);
    }
    if (command == "go") {
        session.go(page.out, entry);
        page.out << entry.number << " " << entry.title << "\n  file: " << session.file(entry)
                 << "\n";
    } else if (command == "solution") {
        show_solution(session, page, entry);
    } else if (command == "hint") {
        session.hint(page.out, entry);
    } else if (command == "why") {
        session.why(page.out, entry);
    } else if (command == "reset") {
        session.reset(page.out, entry);
    } else {
        throw UsageError("there is no command " + heed::in_quotes(command));
    }
    return 0;
}

void say(const std::string& text) { std::cerr << wrapped(text, columns()) << std::endl; }

// Remarks during a build go to standard error: standard output is the verdict.
Waiting waiting_on(Page& page) {
    Waiting waiting;
    waiting.say = [&](const std::string& text) {
        page.status("");
        say(text);
    };
    waiting.status = [&](const std::string& line) { page.status(line); };
    return waiting;
}

int run_words(const Arguments& arguments, Page& page) {
    const std::vector<std::string>& words = arguments.words;
    const bool writes = !words.empty() && words[0] == "write";
    if (words.size() > (writes ? 3 : 2)) {
        throw UsageError("too many words: " + heed::in_quotes(words.back()));
    }
    if (writes && words.size() < 3) throw UsageError("write what, and where? write stubs DIR");
    Session session(arguments.workshop);
    if (writes) {
        session.write_all(words[1], words[2]);
        return 0;
    }
    if (words.empty() && is_interactive()) return watch(session, page);
    session.wait_with(waiting_on(page));
    for (const std::string& remark : session.remarks()) say(remark);
    if (words.empty()) return obey(session, page, "run", "");
    return obey(session, page, words[0], words.size() > 1 ? words[1] : "");
}

int run(const Arguments& arguments) {
    Page page(std::cout);
    if (arguments.help) {
        page.out << usage;
        return 0;
    }
    return run_words(arguments, page);
}

// So that no file opened later takes the place of a closed standard stream.
void open_standard_streams() {
    int descriptor = 0;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDWR);
    if (descriptor >= 0) close(descriptor);
}

void say_lines(const std::string& text) {
    for (const std::string& line : lines_of(text)) say(line);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        open_standard_streams();
        signals::note_all();
        return tutorial::finish_output("exercises", run(parse(argc, argv)));
    } catch (const Stopped& stopped) {
        signals::end_by(stopped.signal);
    } catch (const UsageError& error) {
        say_lines(error.what());
        std::cerr << "\n" << usage;
    } catch (const std::exception& error) {
        say_lines(error.what());
    }
    return 2;
}
