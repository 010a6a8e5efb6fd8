// The terminal: its size, and its keys, read one by one.
#pragma once

#include <cstddef>

#include <termios.h>

namespace exercise {

// The terminal's size; without a terminal, COLUMNS and LINES, or else 80 and 40.
std::size_t columns();
std::size_t rows();
// Is there a terminal to ask and to answer?
bool is_interactive();
// May a line on the screen be replaced? Not in a file, nor where TERM is dumb or unset.
bool is_redrawable();

// While alive, keys are read one by one and not echoed.
class KeyByKey {
  public:
    KeyByKey();
    ~KeyByKey();
    KeyByKey(const KeyByKey&) = delete;
    KeyByKey& operator=(const KeyByKey&) = delete;
    void enter();
    void leave();
    void set_again();  // a shell that continues a program may have changed it

  private:
    termios before_ = {}, keys_ = {};
    bool is_terminal_ = false;
};

enum : int { no_key = 0, escape = 27, unknown_key = 256, end_of_input = 257 };

// Waits up to so many milliseconds for a key, while a KeyByKey is alive. Arrows, function keys and
// characters beyond ASCII are `unknown_key`. Throws Stopped if a signal asks for it.
int key(int milliseconds);

// If Ctrl-Z was pressed, restores the terminal, stops, and takes the terminal again when continued.
// Returns whether it did.
bool suspend_if_asked();
// Must the screen be drawn again, since the program was continued or the terminal resized?
bool screen_is_stale();

// Remembers the terminal's state and its foreground process group, and restores them.
class TerminalState {
  public:
    TerminalState();
    ~TerminalState();
    TerminalState(const TerminalState&) = delete;
    TerminalState& operator=(const TerminalState&) = delete;

  private:
    termios before_ = {};
    bool is_ours_ = false;
};

}  // namespace exercise
