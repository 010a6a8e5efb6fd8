#include "tutorials/exercises/runner/signals.h"

#include <csignal>
#include <initializer_list>

#include <unistd.h>

namespace exercise::signals {
namespace {
volatile std::sig_atomic_t ended_by = 0;
volatile std::sig_atomic_t suspended = 0;
volatile std::sig_atomic_t redraw = 0;

void note(int signal) {
    if (signal == SIGTSTP) {
        suspended = 1;
    } else if (signal == SIGCONT || signal == SIGWINCH) {
        redraw = 1;
    } else {
        ended_by = signal;
    }
}

// Without SA_RESTART, so that a wait is interrupted.
void handle(int signal, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    return now.sa_handler == SIG_IGN;
}

void handle_unless_ignored(int signal, void (*handler)(int)) {
    if (!is_ignored(signal)) handle(signal, handler);
}

void unblock(int signal) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
}

}  // namespace

void note_all() {
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP}) {
        handle_unless_ignored(signal, note);
    }
    handle(SIGCONT, note);
    handle(SIGWINCH, note);
}

void check() {
    if (ended_by != 0) throw Stopped{ended_by};
}

int take_end() {
    const int signal = ended_by;
    ended_by = 0;
    return signal;
}

int asked_to_end() { return ended_by; }

bool asked_to_suspend() { return suspended != 0; }

bool take_redraw() {
    const bool was = redraw != 0;
    redraw = 0;
    return was;
}

void suspend() {
    handle(SIGTSTP, SIG_DFL);
    unblock(SIGTSTP);
    raise(SIGTSTP);
    suspended = 0;
    handle(SIGTSTP, note);
    redraw = 1;
}

void end_by(int signal) {
    handle(signal, SIG_DFL);
    unblock(signal);
    raise(signal);
    _exit(128 + signal);
}

LeftToForeground::LeftToForeground() {
    sigaction(SIGINT, nullptr, &interrupt_);
    sigaction(SIGQUIT, nullptr, &quit_);
    sigaction(SIGTSTP, nullptr, &suspend_);
    handle_unless_ignored(SIGINT, SIG_IGN);
    handle_unless_ignored(SIGQUIT, SIG_IGN);
    handle_unless_ignored(SIGTSTP, SIG_DFL);
}

LeftToForeground::~LeftToForeground() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
    sigaction(SIGTSTP, &suspend_, nullptr);
}

}  // namespace exercise::signals
