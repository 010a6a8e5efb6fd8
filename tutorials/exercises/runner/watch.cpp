#include "tutorials/exercises/runner/watch.h"

#include "tutorials/exercises/runner/page.h"
#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"

#include <csignal>
#include <deque>
#include <exception>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace exercise {
namespace {
constexpr int control_d = 4;
constexpr int poll_milliseconds = 200;
constexpr int grace = 5;  // times that, in which an editor puts back a file it has renamed

class Watch {
  public:
    Watch(Session& session, Page& page) : session_(session), page_(page), out_(page.out) {}

    int run() {
        session_.wait_with({[&](const std::string& text) { page_.out << text << std::endl; },
                            [&](const std::string& line) { page_.status(line); },
                            [&] { return is_stopped(); }});
        again();
        while (!done_) {
            const int pressed = next_key();
            if (pressed != no_key) {
                act(pressed);
            } else {
                look();
            }
        }
        return 0;
    }

  private:
    // Keys pressed while something ran come first.
    int next_key() {
        if (!early_.empty()) {
            const int pressed = early_.front();
            early_.pop_front();
            return pressed;
        }
        const int pressed = key(poll_milliseconds);
        if (screen_is_stale()) page_.show_again();
        return pressed;
    }

    // Asked while something is built or runs.
    bool is_stopped() {
        const int pressed = key(0);
        if (screen_is_stale()) page_.show_again();
        if (pressed == 'q' || pressed == escape || pressed == end_of_input) return true;
        if (pressed != no_key) early_.push_back(pressed);
        return false;
    }

    // Has the file been saved, or deleted?
    void look() {
        const Stamp now = stamp_of(session_.file(session_.current()));
        away_ = now.is_there() ? 0 : away_ + 1;
        if (now == seen_) return;
        if (now.is_there() || away_ > grace) again();
    }

    void again() {
        const Entry entry = session_.current();
        seen_ = stamp_of(session_.file(entry));
        page_.clear();
        for (const std::string& remark : session_.remarks()) out_ << remark << "\n";
        if (!seen_.is_there()) return say_gone(entry);
        out_ << entry.number << " " << entry.title << " (q stops this)" << std::endl;
        std::ostringstream text;
        text.imbue(std::locale::classic());
        try {
            seen_ = session_.run(text, entry).judged;
        } catch (const std::exception& error) {
            text << error.what() << "\n";
        } catch (const Stopped& stopped) {
            if (stopped.signal != 0) throw;
            early_.clear();
            text << "Stopped; " << entry.number << " is not judged. Save the file to judge it.\n";
        }
        page_.status("");
        page_.clear();
        for (const std::string& remark : session_.remarks()) out_ << remark << "\n\n";
        out_ << note_ << text.str();
        note_.clear();
        if (session_.is_done(entry)) out_ << "\nPassed. Press n for the next one.\n";
        keys();
    }

    void say_gone(const Entry& entry) {
        out_ << session_.file(entry)
             << " is not there. Save it from your editor, or press x, which "
             << "makes it as it was at first. It is judged when it is there.\n";
        keys();
    }

    // A line ends between two keys, not between a key and its word.
    void keys() {
        static const std::vector<std::string> all = {
            "n next",     "p previous", "g go to",     "h hint",     "w why",
            "d debugger", "l list",     "c check all", "s solution", "x reset",
        };
        std::string line;
        for (const std::string& one : all) {
            if (line.size() + one.size() + 1 > columns()) out_ << "\n" << std::exchange(line, "");
            line += one + ", ";
        }
        if (line.size() + 8 > columns()) out_ << "\n" << std::exchange(line, "");
        out_ << "\n" << line << "q quit: " << std::flush;
    }

    void act(int pressed) {
        if (pressed >= ' ' && pressed < 127) out_ << static_cast<char>(pressed);
        out_ << "\n\n";
        try {
            command(pressed);
        } catch (const std::exception& error) {
            out_ << error.what() << "\n";
        } catch (const Stopped& stopped) {
            go_on_after(stopped);
        }
        page_.status("");
        if (!done_ && !is_fresh_) keys();
        is_fresh_ = false;
    }

    // What was stopped by a key or by Ctrl-C; any other signal ends the watch.
    void go_on_after(const Stopped& stopped) {
        if (stopped.signal != 0 && stopped.signal != SIGINT) throw stopped;
        signals::take_end();
        early_.clear();
    }

    void judge_again() {
        again();
        is_fresh_ = true;
    }

    void command(int pressed) {
        const Entry entry = session_.current();
        switch (pressed) {
        case 'n':
        case 'N':
            if (session_.next(out_, pressed == 'N')) judge_again();
            return;
        case 'p':
            if (session_.previous(out_)) judge_again();
            return;
        case 'g':
            return go();
        case 'h':
            return session_.hint(out_, entry);
        case 'w':
            return session_.why(out_, entry);
        case 'l':
            return session_.list(out_);
        case 'c':
            out_ << "All exercises, one by one. q stops this.\n";
            session_.check_all(out_);
            return;
        case 's':
            return solution(entry);
        case 'd':
            return debug(entry);
        case 'x':
            return reset(entry);
        case 'q':
        case control_d:
        case end_of_input:
            done_ = true;
            return;
        default:
            out_ << "This key does nothing.\n";
        }
    }

    // The build takes keys, so that q stops it; the debugger then gets the terminal.
    void debug(const Entry& entry) {
        session_.build(entry);
        keys_.leave();
        try {
            session_.debug(entry);
        } catch (...) {
            keys_.enter();
            throw;
        }
        keys_.enter();
        screen_is_stale();  // what the debugger said stays on it
    }

    bool is_yes(const std::string& question) {
        out_ << question << " (y/n) " << std::flush;
        int answer = no_key;
        while (answer == no_key) answer = next_key();
        if (answer >= ' ' && answer < 127) out_ << static_cast<char>(answer);
        out_ << "\n";
        return answer == 'y';
    }

    void solution(const Entry& entry) {
        const std::string question = session_.question_before_solution(entry);
        if (question.empty() || is_yes(question)) page_.as_it_stands(session_.solution(entry));
    }

    void reset(const Entry& entry) {
        if (!is_yes("Put " + entry.number + " back as it was at first?")) return;
        std::ostringstream said;
        said.imbue(std::locale::classic());
        session_.reset(said, entry);
        note_ = said.str() + "\n";
        judge_again();
    }

    void go() {
        out_ << "To which one? (a number, such as 08.1; Esc stays) " << std::flush;
        std::string number;
        for (int typed = no_key; typed != '\n' && typed != '\r'; typed = next_key()) {
            if (typed == escape || typed == end_of_input) number.clear();
            if (typed == escape || typed == end_of_input) break;
            if ((typed == 127 || typed == '\b') && !number.empty()) {
                number.pop_back();
                out_ << "\b \b" << std::flush;
            } else if (typed > ' ' && typed < 127) {
                number += static_cast<char>(typed);
                out_ << static_cast<char>(typed) << std::flush;
            }
        }
        out_ << "\n";
        if (number.empty()) return;
        session_.go(out_, session_.choose(number));
        judge_again();
    }

    Session& session_;
    Page& page_;
    std::ostream& out_;
    KeyByKey keys_;
    Stamp seen_;
    std::deque<int> early_;
    int away_ = 0;
    std::string note_;  // for the next page
    bool done_ = false;
    bool is_fresh_ = false;  // the page ends with the keys already
};

}  // namespace

int watch(Session& session, Page& page) { return Watch(session, page).run(); }

}  // namespace exercise
