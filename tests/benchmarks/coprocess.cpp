#include "tests/benchmarks/coprocess.h"

#include "tests/benchmarks/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

extern char** environ;

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
// The environment of this process, with `settings` replacing variables of the same names.
Settings environment_with(const Settings& settings) {
    Settings all = settings;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string existing = *entry;
        const std::string name = existing.substr(0, existing.find('=') + 1);
        bool replaced = false;
        for (const std::string& setting : settings) replaced |= setting.rfind(name, 0) == 0;
        if (!replaced) all.push_back(existing);
    }
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

struct Pipe {
    Pipe() {
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe can be made");
    }
    int ends[2] = {-1, -1};
};

}  // namespace

Coprocess::Coprocess(const std::vector<std::string>& command, const Settings& settings) {
    std::signal(SIGPIPE, SIG_IGN);  // a process that has ended is noticed by its missing answer
    const Pipe questions;
    const Pipe answers;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, questions.ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, answers.ends[1], 1);
    std::vector<std::string> words = command;
    program_ = command[0];
    Settings environment = environment_with(settings);
    const int error = posix_spawnp(&process_, words[0].c_str(), &actions, nullptr,
                                   pointers_to(words).data(), pointers_to(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    close(questions.ends[0]);
    close(answers.ends[1]);
    to_ = fdopen(questions.ends[1], "w");
    from_ = fdopen(answers.ends[0], "r");
    if (error != 0) process_ = 0;
}

Coprocess::~Coprocess() {
    std::fclose(to_);
    std::fclose(from_);
    if (process_ != 0) waitpid(process_, nullptr, 0);
}

std::string Coprocess::ask(const std::string& question) {
    if (process_ == 0) return "no " + program_ + " on this machine";
    std::fputs((question + "\n").c_str(), to_);
    std::fflush(to_);
    std::string answer;
    int letter = 0;
    while ((letter = std::fgetc(from_)) != EOF && letter != '\n') {
        answer.push_back(static_cast<char>(letter));
    }
    if (letter == EOF) return "no answer: it has ended";
    wait_until_asleep(process_);
    return answer;
}

std::string Coprocess::rest() {
    std::string all;
    int letter = 0;
    while ((letter = std::fgetc(from_)) != EOF) all.push_back(static_cast<char>(letter));
    if (process_ != 0) waitpid(process_, nullptr, 0);
    process_ = 0;
    return all;
}

}}}  // namespace heed::benchmarks
