// Session::check_all: judging all exercises. A file that is still its stub is not built, since its
// verdict is known.
#include "tutorials/exercises/runner/session.h"
#include "tutorials/exercises/runner/signals.h"

#include <algorithm>
#include <cerrno>
#include <ostream>

#include <unistd.h>

namespace exercise {

namespace {

std::string in_words(const Attempt& attempt) {
    std::string ids;
    for (const std::string& id : attempt.ids) ids += (ids.empty() ? ": " : "+") + id;
    switch (attempt.outcome) {
    case Outcome::passed:
        return "passed";
    case Outcome::not_done:
        return "not done yet";
    case Outcome::wrong:
        return "not yet right" + ids;
    case Outcome::crashed:
        return "crashed";
    case Outcome::timed_out:
        return "did not end";
    case Outcome::uncompiled:
        return "does not compile";
    case Outcome::broken:
        break;
    }
    return "could not be judged";
}

}  // namespace

Outcome Session::check_one(std::ostream& out, const Entry& entry) {
    Attempt tried;
    if (access(workshop_.file(entry).c_str(), R_OK) != 0) {
        const std::string why =
            errno == ENOENT ? "is not there: `exercises reset " + entry.number + "` makes it"
                            : "cannot be read";
        out << entry.number << " " << why << "\n";
        tried.outcome = Outcome::not_done;
    } else if (is_untouched(workshop_, entry)) {
        tried.outcome = Outcome::not_done;
        out << entry.number << " not done yet\n";
    } else {
        tried = judge(entry);
        out << entry.number << " " << in_words(tried) << "\n";
    }
    out.flush();
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
    } catch (const Stopped&) {
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

}  // namespace exercise
