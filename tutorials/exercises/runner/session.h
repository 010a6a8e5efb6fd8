// Session: the commands, on one list of exercises and the learner's progress.
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
    // The one asked for, or the current one where `which` is empty.
    const Entry& choose(const std::string& which) const;
    bool is_done(const Entry& entry) const { return progress_.done.count(entry.number) > 0; }
    std::string file(const Entry& entry) const { return workshop_.file(entry); }

    void list(std::ostream& out) const;
    Outcome run(std::ostream& out, const Entry& entry);
    // All of them; the worst outcome.
    Outcome check_all(std::ostream& out);
    void hint(std::ostream& out, const Entry& entry);
    void why(std::ostream& out, const Entry& entry);
    void solution(std::ostream& out, const Entry& entry);
    void reset(std::ostream& out, const Entry& entry);
    int debug(const Entry& entry);
    // Every stub, or every solution, into a folder. Error: `what` is neither (invalid_argument).
    void write_all(const std::string& what, const std::string& folder) const;
    // To the one after this, if it is passed: never by itself.
    bool next(std::ostream& out);

  private:
    Attempt note(const Entry& entry, const Attempt& attempt);
    void save() { write_progress(workshop_.progress, progress_); }

    Workshop workshop_;
    std::vector<Entry> list_;
    Progress progress_;
    // Of the last attempt at an exercise, so that a hint need not run it again.
    std::map<std::string, Attempt> last_;
};

}  // namespace exercise
