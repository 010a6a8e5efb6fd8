#include "tutorials/exercises/runner/watch.h"

#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include <poll.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace exercise {

namespace {

constexpr int poll_milliseconds = 200;

// Puts the terminal in unbuffered mode while alive, so that single keys can be read.
class KeyByKey {
  public:
    KeyByKey() {
        tcgetattr(STDIN_FILENO, &before_);
        termios keys = before_;
        keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    }
    ~KeyByKey() { tcsetattr(STDIN_FILENO, TCSANOW, &before_); }
    KeyByKey(const KeyByKey&) = delete;
    KeyByKey& operator=(const KeyByKey&) = delete;

  private:
    termios before_ = {};
};

// Modification time and size of a file: a save changes at least one.
struct Stamp {
    long long seconds = 0, nanoseconds = 0, size = -1;
    bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& file) {
    struct stat found = {};
    if (stat(file.c_str(), &found) != 0) return {};
    return {found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size};
}

// The key pressed during one polling interval; 0 for none, q at end of input.
char key() {
    pollfd waiting = {STDIN_FILENO, POLLIN, 0};
    if (poll(&waiting, 1, poll_milliseconds) <= 0) return 0;
    char pressed = 0;
    return read(STDIN_FILENO, &pressed, 1) == 1 ? pressed : 'q';
}

void clear() { std::cout << "\x1b[2J\x1b[3J\x1b[H"; }

class Watch {
  public:
    explicit Watch(Session& session) : session_(session) {}

    int run() {
        again();
        while (!done_) {
            const char pressed = key();
            if (pressed != 0) {
                act(pressed);
            } else if (!(stamp_of(session_.file(session_.current())) == seen_)) {
                again();
            }
        }
        return 0;
    }

  private:
    void again() {
        const Entry& entry = session_.current();
        seen_ = stamp_of(session_.file(entry));
        clear();
        std::cout << "Building and running " << entry.number << " ..." << std::endl;
        std::ostringstream text;
        try {
            session_.run(text, entry);
        } catch (const std::exception& error) {
            text << error.what() << "\n";
        }
        clear();
        std::cout << text.str();
        if (session_.is_done(entry)) std::cout << "\nPassed. Press n for the next one.\n";
        keys();
    }

    void keys() {
        std::cout << "\nn next, h hint, w why, d debugger, l list, c check all, s solution, x "
                     "reset, q quit: "
                  << std::flush;
    }

    void act(char pressed) {
        std::cout << pressed << "\n\n";
        try {
            command(pressed);
        } catch (const std::exception& error) {
            std::cout << error.what() << "\n";
        }
        if (!done_) keys();
    }

    void command(char pressed) {
        const Entry& entry = session_.current();
        switch (pressed) {
        case 'n':
            if (session_.next(std::cout)) again();
            return;
        case 'h':
            return session_.hint(std::cout, entry);
        case 'w':
            return session_.why(std::cout, entry);
        case 'l':
            return session_.list(std::cout);
        case 'c':
            session_.check_all(std::cout);
            return;
        case 's':
            return session_.solution(std::cout, entry);
        case 'd':
            debug(entry);
            return;
        case 'x':
            return reset(entry);
        case 'q':
            done_ = true;
            return;
        default:
            std::cout << "This key does nothing.\n";
        }
    }

    void debug(const Entry& entry) {
        const LineByLine lines(keys_);
        session_.debug(entry);
    }

    void reset(const Entry& entry) {
        std::cout << "Put " << entry.number << " back as it was at first? (y/n) " << std::flush;
        char answer = 0;
        while (answer == 0) answer = key();
        std::cout << answer << "\n";
        if (answer != 'y') return;
        session_.reset(std::cout, entry);
        seen_ = {};
    }

    // Restores the normal terminal mode for a program in the foreground.
    struct LineByLine {
        explicit LineByLine(std::optional<KeyByKey>& to) : keys(to) { keys.reset(); }
        ~LineByLine() { keys.emplace(); }
        std::optional<KeyByKey>& keys;
    };

    Session& session_;
    std::optional<KeyByKey> keys_{std::in_place};
    Stamp seen_;
    bool done_ = false;
};

}  // namespace

int watch(Session& session) { return Watch(session).run(); }

}  // namespace exercise
