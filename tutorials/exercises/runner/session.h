// Session: the runner's commands on a list of exercises and the learner's progress.
#pragma once

#include "tutorials/exercises/runner/progress.h"
#include "tutorials/exercises/runner/workshop.h"

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace exercise {

class Session {
  public:
    // Error: the list cannot be read (std::runtime_error).
    explicit Session(const Workshop& workshop);

    const Entry& current() const;
    // The requested exercise, or the current one if `which` is empty.
    const Entry& choose(const std::string& which) const;
    bool is_done(const Entry& entry) const { return progress_.done.count(entry.number) > 0; }
    std::string file(const Entry& entry) const { return workshop_.file(entry); }
    // The problems of the progress file.
    const std::vector<std::string>& remarks() const { return progress_.remarks; }

    void wait_with(const Waiting& waiting) { workshop_.waiting = waiting; }

    void list(std::ostream& out);
    Attempt run(std::ostream& out, const Entry& entry);
    // Judges all exercises, one line each, and keeps what is known after each; returns the worst
    // outcome. If stopped, it says so and passes Stopped on.
    Outcome check_all(std::ostream& out);
    void hint(std::ostream& out, const Entry& entry);
    void why(std::ostream& out, const Entry& entry);
    std::string solution(const Entry& entry) const { return workshop_.solution(entry); }
    // What to ask before it is shown; "" if the exercise is passed.
    std::string question_before_solution(const Entry& entry) const;
    void reset(std::ostream& out, const Entry& entry);
    // Error: it does not compile (std::runtime_error).
    void build(const Entry& entry);
    // Starts the debugger on what was built, in the foreground; returns its exit code.
    int debug(const Entry& entry);
    // Writes every stub, or every solution, to a folder. Error: `what` is neither
    // (std::invalid_argument).
    void write_all(const std::string& what, const std::string& folder) const;

    // Makes another exercise the current one. This never happens by itself.
    void go(std::ostream& out, const Entry& entry);
    // Goes to the next exercise that is not passed, unless this one is not passed either and is not
    // to be skipped; says so if it stays. Returns whether it went.
    bool next(std::ostream& out, bool skips);
    bool previous(std::ostream& out);

  private:
    Attempt judge(const Entry& entry);
    Outcome check_one(std::ostream& out, const Entry& entry);
    std::vector<Entry>::const_iterator place_of(const Entry& entry) const;
    // Changes the progress and writes it; says so if that fails.
    void keep(std::ostream& out, const std::function<void(Progress&)>& change);

    Workshop workshop_;
    std::vector<Entry> list_;
    Progress progress_;
    std::string current_;  // whatever another runner makes the current one
    // The last attempt at each exercise, so that a hint need not run it again.
    std::map<std::string, Attempt> last_;
};

}  // namespace exercise
