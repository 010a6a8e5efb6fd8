#include "tutorials/exercises/runner/process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace exercise {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t most_output = 1 << 20;

std::vector<char*> arguments(const std::vector<std::string>& command) {
    std::vector<char*> list;
    for (const std::string& word : command) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

[[noreturn]] void become(const std::vector<char*>& list) {
    execvp(list[0], list.data());
    _exit(127);
}

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

// Reads until end of file, or returns false when time is up.
bool read_all(int from, Clock::time_point until, std::string& output) {
    char some[4096];
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        if (left.count() <= 0) return false;
        pollfd waiting = {from, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const ssize_t count = read(from, some, sizeof some);
        if (count == 0) return true;
        if (count < 0) return errno == EINTR ? true : false;
        if (output.size() < most_output) output.append(some, static_cast<std::size_t>(count));
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

Ended run(const std::vector<std::string>& command, double seconds) {
    const std::vector<char*> list = arguments(command);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe");
    const pid_t child = fork();
    if (child < 0) fail("cannot start " + command.front());
    if (child == 0) {
        setpgid(0, 0);  // its own process group, so that its children can be killed too
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        become(list);
    }
    setpgid(child, child);
    close(ends[1]);
    Ended ended;
    const auto patience =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    ended.timed_out = !read_all(ends[0], Clock::now() + patience, ended.output);
    close(ends[0]);
    if (ended.timed_out) kill(-child, SIGKILL);
    const int status = wait_for(child);
    if (WIFSIGNALED(status) && !ended.timed_out) ended.signal = WTERMSIG(status);
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    if (ended.exit_code == 127 && ended.output.empty()) {
        throw std::runtime_error("cannot start " + command.front() + ": is it installed?");
    }
    return ended;
}

int run_here(const std::vector<std::string>& command) {
    const std::vector<char*> list = arguments(command);
    const pid_t child = fork();
    if (child < 0) fail("cannot start " + command.front());
    if (child == 0) become(list);
    const int status = wait_for(child);
    if (!WIFEXITED(status)) return 1;
    if (WEXITSTATUS(status) == 127) {
        throw std::runtime_error("cannot start " + command.front() + ": is it installed?");
    }
    return WEXITSTATUS(status);
}

std::string signal_text(int signal) {
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
        return "it used memory that is not its own (segmentation fault)";
    case SIGABRT:
        return "it was aborted: an exception that nobody caught, or a check of the library's own";
    case SIGFPE:
        return "a whole number was divided by zero";
    case SIGILL:
        return "it reached what is no instruction: often the end of a function without return";
    default:
        return "it was ended by signal " + std::to_string(signal);
    }
}

}  // namespace exercise
