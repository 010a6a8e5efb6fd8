#include "tutorials/exercises/runner/session.h"

#include "tensor/quote.h"
#include "tutorials/exercises/runner/process.h"
#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"

#include <algorithm>
#include <cerrno>
#include <ostream>
#include <stdexcept>

#include <unistd.h>

namespace exercise {
namespace {
constexpr int last_step = 4;

std::string bar(std::size_t done, std::size_t all) {
    const std::size_t width = 30;
    const std::size_t filled = all == 0 ? 0 : done * width / all;
    return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

void note(Progress& progress, const Entry& entry, Outcome outcome) {
    if (outcome == Outcome::passed) {
        progress.done.insert(entry.number);
    } else {
        progress.done.erase(entry.number);
    }
}

}  // namespace

Session::Session(const Workshop& workshop)
    : workshop_(workshop), list_(read_list(workshop.made + "/list.txt")),
      progress_(read_progress(workshop.progress, list_)), current_(progress_.current) {}

const Entry& Session::current() const {
    if (!current_.empty()) return find(list_, current_);
    const auto open = std::find_if(list_.begin(), list_.end(),
                                   [&](const Entry& entry) { return !is_done(entry); });
    return open == list_.end() ? list_.back() : *open;
}

const Entry& Session::choose(const std::string& which) const {
    return which.empty() ? current() : find(list_, which);
}

void Session::list(std::ostream& out) {
    progress_ = read_progress(workshop_.progress, list_);  // other runners may have gone on
    const Entry& now = current();
    std::size_t done = 0;
    for (const Entry& entry : list_) {
        const bool is_now = entry.number == now.number;
        done += is_done(entry);
        out << (is_now ? "> " : "  ") << (is_done(entry) ? "done  " : "      ") << entry.number
            << "  " << entry.title;
        const std::size_t used = columns() < 80 ? 44 : entry.title.size();
        out << std::string(used < 44 ? 44 - used : 1, ' ') << entry.kind << ", " << entry.minutes
            << " minutes\n";
    }
    out << bar(done, list_.size()) << " " << done << " of " << list_.size() << "\n";
}

void Session::keep(std::ostream& out, const std::function<void(Progress&)>& change) {
    const std::string problem = change_progress(workshop_.progress, list_, progress_, change);
    if (!problem.empty()) out << problem << "\n";
}

Attempt Session::judge(const Entry& entry) {
    workshop_.waiting.status("Building and running " + entry.number + " ...");
    const Attempt tried = attempt(workshop_, entry);
    workshop_.waiting.status("");
    return last_[entry.number] = tried;
}

Attempt Session::run(std::ostream& out, const Entry& entry) {
    const Attempt tried = judge(entry);
    current_ = entry.number;
    out << tried.text;
    if (tried.outcome != Outcome::passed) {
        out << "\n  file: " << workshop_.file(entry) << "\n  hint: exercises hint " << entry.number
            << "   debugger: exercises debug " << entry.number << "\n";
    }
    keep(out, [&](Progress& progress) {
        note(progress, entry, tried.outcome);
        progress.current = entry.number;
    });
    return tried;
}

// Shows the next hint on each call while the diagnosis stays the same. The fourth, the change
// itself, is shown only when asked for twice, or after passing.
void Session::hint(std::ostream& out, const Entry& entry) {
    const Stamp now = stamp_when_there(workshop_, entry);
    if (last_.count(entry.number) == 0 || !(last_.at(entry.number).judged == now)) {
        workshop_.waiting.say("A hint is for what your code does, so it is built and run first.");
        judge(entry);
    }
    const Attempt& tried = last_.at(entry.number);
    if (tried.outcome == Outcome::uncompiled) {
        out << "It does not compile yet: the first of the compiler's messages says where.\n";
        return;
    }
    const int steps = static_cast<int>(tried.hints.size());
    const bool passed = tried.outcome == Outcome::passed;
    if (steps == 0) {
        out << (passed ? "It is passed: `exercises solution " + entry.number + "` shows ours.\n"
                       : "There is no hint for this. `exercises debug " + entry.number +
                             "` stops in your code.\n");
        return;
    }
    int shown = 0;
    keep(out, [&](Progress& progress) {
        Progress::Hints& hints = progress.hints[entry.number];
        if (hints.of != tried.ids) hints = {0, tried.ids};
        hints.shown = std::min(hints.shown + 1, last_step + 1);
        shown = hints.shown;
    });
    for (int step = 1; step <= std::min({shown, steps, last_step - 1}); ++step) {
        out << step << ". " << tried.hints[static_cast<std::size_t>(step - 1)] << "\n";
    }
    if (steps < last_step || shown < last_step) return;
    if (shown == last_step && !passed) {
        out << "4. The last step is the change itself. Ask once more to see it.\n";
    } else {
        out << "4. " << tried.hints[last_step - 1] << "\n";
    }
}

void Session::why(std::ostream& out, const Entry& entry) {
    const Attempt tried = judge(entry);
    out << tried.text;
    keep(out, [&](Progress& progress) { note(progress, entry, tried.outcome); });
    if (tried.outcome != Outcome::wrong) return;
    if (tried.ids.empty()) {
        out << "\n  It looks like none of the mistakes that are known here.\n";
        return;
    }
    out << "\n  Known as: " << tried.ids
        << ". On every input your numbers are those this mistake gives. That is evidence, not "
           "proof.\n";
}

std::string Session::question_before_solution(const Entry& entry) const {
    if (is_done(entry)) return "";
    return "Show our solution to " + entry.number + "? It is not passed yet.";
}

void Session::reset(std::ostream& out, const Entry& entry) {
    const std::string aside = exercise::reset(workshop_, entry);
    last_.erase(entry.number);
    out << entry.number << " is as it was at first.";
    if (!aside.empty()) out << " What you had is in " << aside;
    out << "\n";
    keep(out, [&](Progress& progress) {
        progress.done.erase(entry.number);
        progress.hints.erase(entry.number);
    });
}

void Session::write_all(const std::string& what, const std::string& folder) const {
    if (what != "stubs" && what != "solutions") {
        throw std::invalid_argument("write what? stubs or solutions, not " + heed::in_quotes(what));
    }
    for (const Entry& entry : list_) {
        write_file(folder + "/" + entry.name + ".cpp",
                   what == "stubs" ? workshop_.stub(entry) : workshop_.solution(entry));
    }
}

void Session::build(const Entry& entry) {
    const std::string errors = exercise::build(workshop_, entry);
    workshop_.waiting.status("");
    if (!errors.empty()) throw std::runtime_error("This does not compile:\n\n" + errors);
}

// gdb ends at `quit`, without a question, and the runner goes on.
int Session::debug(const Entry& entry) {
    return run_here({"gdb", "-q", "-x", HEED_EXERCISES_DEBUGGER, "-ex", "set confirm off", "-ex",
                     "break -qualified " + entry.function, "-ex", "run", workshop_.program(entry)});
}

// A file that is still its stub is not built, since its verdict is known.
Outcome Session::check_one(std::ostream& out, const Entry& entry) {
    Attempt tried{Outcome::not_done};
    std::string words = in_words(tried.outcome);
    if (access(workshop_.file(entry).c_str(), R_OK) != 0) {
        words = errno == ENOENT ? "is not there: `exercises reset " + entry.number + "` makes it"
                                : "cannot be read";
    } else if (is_blank(workshop_, entry)) {
        words = "is empty: `exercises reset " + entry.number + "` puts it back";
    } else if (!is_untouched(workshop_, entry)) {
        tried = judge(entry);
        words = in_words(tried.outcome) + (tried.ids.empty() ? "" : ": " + tried.ids);
    }
    out << entry.number << " " << words << std::endl;
    keep(out, [&](Progress& progress) { note(progress, entry, tried.outcome); });
    return tried.outcome;
}

Outcome Session::check_all(std::ostream& out) {
    Outcome worst = Outcome::passed;
    std::size_t judged = 0, passed = 0;
    const auto sum = [&] { out << passed << " of " << list_.size() << " passed"; };
    try {
        for (const Entry& entry : list_) {
            signals::check();
            if (workshop_.waiting.stop()) throw Stopped{};
            const Outcome outcome = check_one(out, entry);
            passed += outcome == Outcome::passed;
            worst = std::max(worst, outcome);
            ++judged;
        }
    } catch (...) {
        workshop_.waiting.status("");
        out << "Stopped after " << judged << " of " << list_.size() << "; what was found is kept: ";
        sum();
        out << std::endl;
        throw;
    }
    sum();
    out << "\n";
    return worst;
}

std::vector<Entry>::const_iterator Session::place_of(const Entry& entry) const {
    return std::find_if(list_.begin(), list_.end(),
                        [&](const Entry& other) { return other.number == entry.number; });
}

void Session::go(std::ostream& out, const Entry& entry) {
    current_ = entry.number;
    keep(out, [&](Progress& progress) { progress.current = current_; });
}

bool Session::next(std::ostream& out, bool skips) {
    const Entry now = current();
    if (!is_done(now) && !skips) {
        out << now.number << " is not passed yet; N skips it.\n";
        return false;
    }
    const auto is_open = [&](const Entry& entry) {
        return !is_done(entry) && entry.number != now.number;
    };
    std::vector<Entry>::const_iterator after = std::find_if(place_of(now), list_.cend(), is_open);
    if (after == list_.cend()) after = std::find_if(list_.cbegin(), list_.cend(), is_open);
    if (after == list_.end()) {
        out << (is_done(now) ? "All exercises are passed.\n" : "All the others are passed.\n");
        return false;
    }
    go(out, *after);
    return true;
}

bool Session::previous(std::ostream& out) {
    const auto now = place_of(current());
    if (now == list_.begin()) {
        out << now->number << " is the first one.\n";
        return false;
    }
    go(out, *(now - 1));
    return true;
}

}  // namespace exercise
