// Session: the runner's commands on a list of exercises and the learner's progress.
#pragma once

#include "tutorials/exercises/runner/progress.h"
#include "tutorials/exercises/runner/workshop.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace exercise {

class Session {
  public:
    // Errors: the list or the progress cannot be read (std::runtime_error).
    Session(const Workshop& workshop, const std::string& list);

    const Entry& current() const;
    // The requested exercise, or the current one if `which` is empty.
    const Entry& choose(const std::string& which) const;
    bool is_done(const Entry& entry) const { return progress_.done.count(entry.number) > 0; }
    std::string file(const Entry& entry) const { return workshop_.file(entry); }

    void list(std::ostream& out) const;
    Outcome run(std::ostream& out, const Entry& entry);
    // Checks all exercises; returns the worst outcome.
    Outcome check_all(std::ostream& out);
    void hint(std::ostream& out, const Entry& entry);
    void why(std::ostream& out, const Entry& entry);
    void solution(std::ostream& out, const Entry& entry);
    void reset(std::ostream& out, const Entry& entry);
    int debug(const Entry& entry);
    // Writes every stub, or every solution, to a folder. Error: `what` is neither
    // (std::invalid_argument).
    void write_all(const std::string& what, const std::string& folder) const;
    // Moves on to the next exercise if this one is passed; this never happens automatically.
    bool next(std::ostream& out);

  private:
    Attempt note(const Entry& entry, const Attempt& attempt);
    void save() { write_progress(workshop_.progress, progress_); }

    Workshop workshop_;
    std::vector<Entry> list_;
    Progress progress_;
    // The last attempt at each exercise, so that a hint need not run it again.
    std::map<std::string, Attempt> last_;
};

}  // namespace exercise
