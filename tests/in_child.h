// Runs a call in a process of its own, so that one that crashes or does not end is named and the
// others still run.
#pragma once

#include <string>

#if __has_include(<sys/wait.h>)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

// What `call` returns, or how its process ended instead. Its time limit is long, for a sanitizer on
// a busy machine.
template <class Call>
std::string in_child(const Call& call, unsigned seconds = 60) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe could be made";
    const pid_t child = fork();
    if (child < 0) return "no process could be made";
    if (child == 0) {
        for (const int caught : {SIGABRT, SIGFPE, SIGILL, SIGINT, SIGSEGV, SIGTERM}) {
            std::signal(caught, SIG_DFL);  // not Catch's, which would report for the parent
        }
        alarm(seconds);  // a call that does not end is ended by this signal
        std::string said = "threw something";
        try {
            said = call();
        } catch (...) {  // must not reach what the parent was doing
        }
        const ssize_t written = write(ends[1], said.data(), said.size());
        _exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string said;
    char part[4096];
    for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;) {
        said.append(part, static_cast<std::size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        return "did not end within " + std::to_string(seconds) + " s";
    }
    if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) == 0) return said;
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}
#else
// Where there is no fork(), in this process.
template <class Call>
std::string in_child(const Call& call, unsigned = 60) {
    return call();
}
#endif
