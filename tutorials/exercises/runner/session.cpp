#include "tutorials/exercises/runner/session.h"

#include "heed/tensor/quote.h"
#include "tutorials/exercises/runner/process.h"
#include "tutorials/exercises/runner/source.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace exercise {

namespace {

constexpr int last_step = 4;

std::string joined(const std::vector<std::string>& ids) {
    std::string text;
    for (const std::string& id : ids) text += (text.empty() ? "" : "+") + id;
    return text;
}

std::string bar(std::size_t done, std::size_t all) {
    const std::size_t width = 30;
    const std::size_t filled = all == 0 ? 0 : done * width / all;
    return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

}  // namespace

Session::Session(const Workshop& workshop, const std::string& list)
    : workshop_(workshop), list_(read_list(list)), progress_(read_progress(workshop.progress)) {
    if (!progress_.current.empty()) find(list_, progress_.current);
}

const Entry& Session::current() const {
    if (!progress_.current.empty()) return find(list_, progress_.current);
    for (const Entry& entry : list_) {
        if (!is_done(entry)) return entry;
    }
    return list_.back();
}

const Entry& Session::choose(const std::string& which) const {
    return which.empty() ? current() : find(list_, which);
}

void Session::list(std::ostream& out) const {
    const Entry& now = current();
    std::size_t done = 0;
    for (const Entry& entry : list_) {
        const bool is_now = entry.number == now.number;
        done += is_done(entry);
        out << (is_now ? "> " : "  ") << (is_done(entry) ? "done  " : "      ") << entry.number
            << "  " << entry.title
            << std::string(entry.title.size() < 44 ? 44 - entry.title.size() : 1, ' ') << entry.kind
            << ", " << entry.minutes << " minutes\n";
    }
    out << bar(done, list_.size()) << " " << done << " of " << list_.size() << "\n";
}

// Updates the progress after an attempt.
Attempt Session::note(const Entry& entry, const Attempt& attempt) {
    last_[entry.number] = attempt;
    if (attempt.outcome == Outcome::passed) {
        progress_.done.insert(entry.number);
    } else {
        progress_.done.erase(entry.number);
    }
    return attempt;
}

Outcome Session::run(std::ostream& out, const Entry& entry) {
    const Attempt tried = note(entry, attempt(workshop_, entry));
    progress_.current = entry.number;
    save();
    out << tried.text;
    if (tried.outcome != Outcome::passed) {
        out << "\n  file: " << workshop_.file(entry) << "\n  hint: exercises hint " << entry.number
            << "   debugger: exercises debug " << entry.number << "\n";
    }
    return tried.outcome;
}

Outcome Session::check_all(std::ostream& out) {
    Outcome worst = Outcome::passed;
    std::size_t passed = 0;
    for (const Entry& entry : list_) {
        out << entry.number << " " << std::flush;
        const Attempt tried = note(entry, attempt(workshop_, entry));
        passed += tried.outcome == Outcome::passed;
        worst = std::max(worst, tried.outcome);
        switch (tried.outcome) {
        case Outcome::passed:
            out << "passed\n";
            break;
        case Outcome::not_done:
            out << "not done yet\n";
            break;
        case Outcome::wrong:
            out << "not yet right" << (tried.ids.empty() ? "" : ": ") << joined(tried.ids) << "\n";
            break;
        case Outcome::crashed:
            out << "crashed\n";
            break;
        case Outcome::timed_out:
            out << "did not end\n";
            break;
        case Outcome::uncompiled:
            out << "does not compile\n";
            break;
        case Outcome::broken:
            out << "could not be judged\n";
            break;
        }
    }
    save();
    out << bar(passed, list_.size()) << " " << passed << " of " << list_.size() << "\n";
    return worst;
}

// Shows the next hint on each call while the diagnosis stays the same. The fourth, the change
// itself, is shown only when asked for twice, or after passing.
void Session::hint(std::ostream& out, const Entry& entry) {
    if (last_.count(entry.number) == 0) note(entry, attempt(workshop_, entry));
    const Attempt& tried = last_.at(entry.number);
    if (tried.outcome == Outcome::uncompiled) {
        out << "It does not compile yet: the first of the compiler's messages says where.\n";
        return;
    }
    Progress::Hints& hints = progress_.hints[entry.number];
    const std::string of = joined(tried.ids);
    if (hints.of != of) hints = {0, of};
    const int steps = static_cast<int>(tried.hints.size());
    const bool passed = tried.outcome == Outcome::passed;
    if (steps == 0) {
        out << (passed ? "It is passed: `exercises solution " + entry.number + "` shows ours.\n"
                       : "There is no hint for this. `exercises debug " + entry.number +
                             "` stops in your code.\n");
        return;
    }
    if (hints.shown < last_step + 1) ++hints.shown;
    save();
    for (int step = 1; step <= std::min(hints.shown, std::min(steps, last_step - 1)); ++step) {
        out << step << ". " << tried.hints[static_cast<std::size_t>(step - 1)] << "\n";
    }
    if (steps < last_step || hints.shown < last_step) return;
    if (hints.shown == last_step && !passed) {
        out << "4. The last step is the change itself. Ask once more to see it.\n";
    } else {
        out << "4. " << tried.hints[last_step - 1] << "\n";
    }
}

void Session::why(std::ostream& out, const Entry& entry) {
    const Attempt tried = note(entry, attempt(workshop_, entry));
    save();
    out << tried.text;
    if (tried.outcome != Outcome::wrong) return;
    if (tried.ids.empty()) {
        out << "\n  It looks like none of the mistakes that are known here.\n";
        return;
    }
    out << "\n  Known as: " << joined(tried.ids)
        << ". On every input your numbers are those this mistake gives. That is evidence, no "
           "proof.\n";
}

void Session::solution(std::ostream& out, const Entry& entry) {
    out << solution_of(tutorial::read_text_file(workshop_.solutions + "/" + entry.name + ".cpp"));
}

void Session::reset(std::ostream& out, const Entry& entry) {
    const bool kept = exercise::reset(workshop_, entry);
    progress_.done.erase(entry.number);
    progress_.hints.erase(entry.number);
    last_.erase(entry.number);
    save();
    out << entry.number << " is as it was at first.";
    if (kept) out << " What you had is in " << workshop_.file(entry) << ".bak";
    out << "\n";
}

void Session::write_all(const std::string& what, const std::string& folder) const {
    if (what != "stubs" && what != "solutions") {
        throw std::invalid_argument("write what? stubs or solutions, not " + heed::quoted(what));
    }
    for (const Entry& entry : list_) {
        const std::string source =
            tutorial::read_text_file(workshop_.solutions + "/" + entry.name + ".cpp");
        write_file(folder + "/" + entry.name + ".cpp",
                   what == "stubs" ? stub_of(source) : solution_of(source));
    }
}

int Session::debug(const Entry& entry) {
    const std::string errors = build(workshop_, entry);
    if (!errors.empty()) throw std::runtime_error("This does not compile:\n\n" + errors);
    return run_here({"gdb", "-q", "-x", workshop_.debugger, "-ex", "break " + entry.function, "-ex",
                     "run", workshop_.program(entry)});
}

bool Session::next(std::ostream& out) {
    const Entry& now = current();
    if (!is_done(now)) {
        out << now.number << " is not passed yet.\n";
        return false;
    }
    std::vector<Entry>::const_iterator after = std::find_if(
        list_.begin(), list_.end(), [&](const Entry& entry) { return entry.number == now.number; });
    while (after != list_.end() && is_done(*after)) ++after;
    if (after == list_.end()) {
        after = std::find_if(list_.begin(), list_.end(),
                             [&](const Entry& entry) { return !is_done(entry); });
    }
    if (after == list_.end()) {
        out << "All exercises are passed.\n";
        return false;
    }
    progress_.current = after->number;
    save();
    return true;
}

}  // namespace exercise
