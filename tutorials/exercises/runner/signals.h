// Signals that end, suspend or resize the runner. Handlers only set a flag; the runner acts on it
// at safe points, and ends the processes it has started.
#pragma once

#include <csignal>

namespace exercise {

// Thrown to leave whatever is running. It is not an error; only main and the watch catch it.
struct Stopped {
    int signal = 0;  // 0: a key was pressed
};

namespace signals {

// From here on SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT and SIGWINCH are noted. One that
// the parent ignores (nohup) stays ignored.
void note_all();
// Throws Stopped if a signal that ends the program has arrived.
void check();
// Returns that signal and forgets it; 0 if there was none.
int take_end();
// Returns it without forgetting it.
int asked_to_end();
// Was SIGTSTP (Ctrl-Z) noted?
bool asked_to_suspend();
// Is the screen no longer what was drawn, after SIGCONT or SIGWINCH? Forgets it.
bool take_redraw();
// Stops this process as Ctrl-Z does without a handler, and forgets that it was asked to; returns
// when it is continued.
void suspend();
// Ends this process as the signal does without a handler, so that its parent sees why.
[[noreturn]] void end_by(int signal);

// While alive, Ctrl-C and Ctrl-\ are for the program in the foreground, and Ctrl-Z stops both.
class LeftToForeground {
  public:
    LeftToForeground();
    ~LeftToForeground();
    LeftToForeground(const LeftToForeground&) = delete;
    LeftToForeground& operator=(const LeftToForeground&) = delete;

  private:
    struct sigaction interrupt_ = {}, quit_ = {}, suspend_ = {};
};

}  // namespace signals
}  // namespace exercise
