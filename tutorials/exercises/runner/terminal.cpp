#include "tutorials/exercises/runner/terminal.h"

#include "tutorials/exercises/runner/signals.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace exercise {
namespace {
KeyByKey* mode = nullptr;  // the one that is alive

std::size_t from_environment(const char* name, std::size_t otherwise) {
    const char* value = std::getenv(name);
    const int number = value == nullptr ? 0 : std::atoi(value);
    return number > 0 && number < 10000 ? static_cast<std::size_t>(number) : otherwise;
}

winsize size() {
    winsize found = {};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &found) != 0) return {};
    return found;
}

void set(const termios& modes) {
    while (tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0 && errno == EINTR) {
    }
}

// One byte of the input, within so many milliseconds; no_key if there is none.
int next_byte(int milliseconds) {
    pollfd waiting = {STDIN_FILENO, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) return no_key;
    unsigned char byte = 0;
    const ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return no_key;
    return count == 1 ? byte : static_cast<int>(end_of_input);
}

// The rest of an arrow or a function key, "[A" or "[15~", comes at once.
int after_escape() {
    constexpr int at_once = 25;
    int byte = next_byte(at_once);
    if (byte == no_key) return escape;
    if (byte != '[' && byte != 'O') return unknown_key;
    do {
        byte = next_byte(at_once);
    } while (byte != no_key && byte < 0x40);
    return unknown_key;
}

}  // namespace

std::size_t columns() {
    const std::size_t found = size().ws_col;
    const std::size_t width = found > 0 ? found : from_environment("COLUMNS", 80);
    return width < 20 ? 20 : width;
}

std::size_t rows() {
    const std::size_t found = size().ws_row;
    return found > 0 ? found : from_environment("LINES", 40);
}

bool is_interactive() { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

bool is_redrawable() {
    const char* kind = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && kind != nullptr && *kind != '\0' && std::string(kind) != "dumb";
}

KeyByKey::KeyByKey() {
    enter();
    mode = this;
}

KeyByKey::~KeyByKey() {
    leave();
    mode = nullptr;
}

void KeyByKey::enter() {
    is_terminal_ = tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!is_terminal_) return;
    keys_ = before_;
    keys_.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys_.c_cc[VMIN] = 1;
    keys_.c_cc[VTIME] = 0;
    set(keys_);
}

void KeyByKey::set_again() {
    if (is_terminal_) set(keys_);
}

void KeyByKey::leave() {
    if (is_terminal_) set(before_);
    is_terminal_ = false;
}

int key(int milliseconds) {
    const int byte = next_byte(milliseconds);
    suspend_if_asked();
    signals::check();
    if (byte == escape) return after_escape();
    if (byte < 0x80 || byte == end_of_input) return byte;
    for (int more = byte << 1; (more & 0x80) != 0; more <<= 1) next_byte(0);
    return unknown_key;
}

bool suspend_if_asked() {
    if (!signals::asked_to_suspend()) return false;
    if (mode != nullptr) mode->leave();
    signals::suspend();
    if (mode != nullptr) mode->enter();
    return true;
}

bool screen_is_stale() {
    if (!signals::take_redraw()) return false;
    if (mode != nullptr) mode->set_again();
    return true;
}

TerminalState::TerminalState() {
    is_ours_ = tcgetpgrp(STDIN_FILENO) == getpgrp() && tcgetattr(STDIN_FILENO, &before_) == 0;
}

TerminalState::~TerminalState() {
    if (!is_ours_) return;
    // While a debugger that crashed still owns the terminal, this process is in the background.
    sigset_t background, now;
    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    sigprocmask(SIG_BLOCK, &background, &now);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    set(before_);
    sigprocmask(SIG_SETMASK, &now, nullptr);
}

}  // namespace exercise
