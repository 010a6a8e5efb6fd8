// The watch: shows the current exercise, judges it whenever its file is saved, and responds to
// keys. It never moves on by itself.
#pragma once

#include "tutorials/exercises/runner/page.h"
#include "tutorials/exercises/runner/session.h"

namespace exercise {

// Runs until the learner quits; returns the program's exit code. Needs a terminal. Throws Stopped
// if a signal ends it.
int watch(Session& session, Page& page);

}  // namespace exercise
