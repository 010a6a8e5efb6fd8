#include "tutorials/exercises/runner/process.h"

#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"
#include "tutorials/exercises/runner/text.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace exercise {
namespace {
using Clock = std::chrono::steady_clock;
constexpr int slice = 20;  // milliseconds between two looks at signals and keys

struct Pipe {
    int from = -1, to = -1;
    Pipe() {
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error(std::string("no pipe: ") + strerror(errno));
        from = ends[0];
        to = ends[1];
        fcntl(from, F_SETFD, FD_CLOEXEC);
        fcntl(to, F_SETFD, FD_CLOEXEC);
    }
    ~Pipe() {
        close(from);
        close_to();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_to() {
        if (to >= 0) close(to);
        to = -1;
    }
};

// In the child: becomes the program, or tells the parent through the pipe why not.
[[noreturn]] void become(const std::vector<std::string>& command, const Pipe& problem) {
    std::vector<char*> list;
    for (const std::string& word : command) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    execvp(list[0], list.data());
    const int why = errno;
    if (write(problem.to, &why, sizeof why) < 0) _exit(126);
    _exit(127);
}

// Error: the child could not become the program.
void check_started(const std::string& program, Pipe& problem, pid_t child) {
    problem.close_to();
    int why = 0;
    ssize_t count = 0;
    while ((count = read(problem.from, &why, sizeof why)) < 0 && errno == EINTR) {
    }
    if (count <= 0) return;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    throw std::runtime_error("cannot start " + program + ": " +
                             (why == ENOENT ? "is it installed?" : std::strerror(why)));
}

pid_t forked(const std::string& program) {
    const pid_t child = fork();
    if (child >= 0) return child;
    throw std::runtime_error("cannot start " + program + ": " + std::strerror(errno));
}

// Calls back for each whole line, of at most 1000 bytes.
class Lines {
  public:
    explicit Lines(const std::function<void(const std::string&)>& each) : each_(each) {}
    void add(const char* some, std::size_t count) {
        for (std::size_t i = 0; each_ && i < count; ++i) {
            if (some[i] == '\n') {
                each_(std::exchange(line_, ""));
            } else if (line_.size() < 1000) {
                line_ += some[i];
            }
        }
    }

  private:
    const std::function<void(const std::string&)>& each_;
    std::string line_;
};

// A child process, which does not outlive this.
class Running {
  public:
    explicit Running(const Job& job)
        : job_(job), output_(job.most, job.most_lines), lines_(job.line) {
        Pipe problem;
        child_ = forked(job.command.front());
        if (child_ == 0) begin(problem);
        setpgid(child_, child_);
        pipe_.close_to();
        fcntl(pipe_.from, F_SETFL, O_NONBLOCK);
        check_started(job.command.front(), problem, child_);
    }

    ~Running() { end(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    Ended wait() {
        Clock::time_point until = Clock::now() + limit();
        bool timed_out = false;
        while (!has_ended() && !timed_out) {
            read_some();
            until += pause_if_asked();
            signals::check();
            if (job_.stop && job_.stop()) throw Stopped{};
            timed_out = job_.seconds > 0 && Clock::now() > until;
        }
        end();
        read_rest();
        Ended ended;
        ended.timed_out = timed_out;
        if (WIFSIGNALED(status_) && !timed_out) ended.signal = WTERMSIG(status_);
        if (WIFEXITED(status_)) ended.exit_code = WEXITSTATUS(status_);
        ended.output = output_.text();
        return ended;
    }

  private:
    [[noreturn]] void begin(const Pipe& problem) {
        setpgid(0, 0);  // its own process group, so that its children can be ended too
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(pipe_.to, STDOUT_FILENO);
        dup2(pipe_.to, STDERR_FILENO);
        if (job_.is_tool) {
            setenv("LC_ALL", "C.UTF-8", 1);
            unsetenv("LANGUAGE");
        }
        become(job_.command, problem);
    }

    Clock::duration limit() const {
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(job_.seconds));
    }

    // WNOWAIT leaves it unreaped, so that its group cannot become another's.
    bool has_ended() {
        siginfo_t found = {};
        return waitid(P_PID, static_cast<id_t>(child_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               found.si_pid == child_;
    }

    void read_some() {
        pollfd waiting = {is_open_ ? pipe_.from : -1, POLLIN, 0};
        if (poll(&waiting, 1, slice) > 0) take();
    }

    // What it wrote before it ended; others that hold the pipe are not waited for.
    void read_rest() {
        for (int i = 0; i < 1000 && is_open_ && take(); ++i) {
        }
    }

    bool take() {
        char some[1 << 16];
        const ssize_t count = read(pipe_.from, some, sizeof some);
        if (count == 0) is_open_ = false;
        if (count <= 0) return false;
        output_.add(some, static_cast<std::size_t>(count));
        lines_.add(some, static_cast<std::size_t>(count));
        return true;
    }

    Clock::duration pause_if_asked() {
        if (!signals::asked_to_suspend()) return {};
        const Clock::time_point began = Clock::now();
        kill(-child_, SIGSTOP);
        suspend_if_asked();
        kill(-child_, SIGCONT);
        return Clock::now() - began;
    }

    void end() {
        if (child_ <= 0) return;
        const bool is_over = has_ended();
        if (!is_over && job_.is_tool) ask_to_end();
        if (!is_over || !job_.is_tool) kill(-child_, SIGKILL);
        while (waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
    }

    // A build tool then removes files it has half written.
    void ask_to_end() {
        kill(-child_, SIGTERM);
        for (int waited = 0; waited < 3000 && !has_ended(); waited += slice) read_some();
    }

    const Job& job_;
    Pipe pipe_;
    HeadAndTail output_;
    Lines lines_;
    pid_t child_ = -1;
    int status_ = 0;
    bool is_open_ = true;
};

}  // namespace

Ended run(const Job& job) { return Running(job).wait(); }

int run_here(const std::vector<std::string>& command) {
    const TerminalState terminal;
    Pipe problem;
    const pid_t child = forked(command.front());
    if (child == 0) become(command, problem);
    const signals::LeftToForeground left;
    check_started(command.front(), problem, child);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        const int signal = signals::asked_to_end();
        if (signal != 0) kill(child, signal);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string signal_text(int signal) {
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
        return "it used memory that is not its own (segmentation fault)";
    case SIGABRT:
        return "it was aborted: an uncaught exception, or a check of the library's own";
    case SIGFPE:
        return "a whole number was divided by zero";
    case SIGILL:
        return "it ran into something that is not an instruction: often the end of a function "
               "without return";
    case SIGKILL:
        return "it was killed from outside: often the machine's memory was used up";
    default:
        return "it was ended by signal " + std::to_string(signal);
    }
}

}  // namespace exercise
