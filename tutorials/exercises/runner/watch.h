// The watch: shows the current exercise, tries it again whenever its file is saved, and listens to
// keys. It never moves on by itself.
#pragma once

#include "tutorials/exercises/runner/session.h"

namespace exercise {

// Until the learner quits. Needs a terminal. The exit code of the program.
int watch(Session& session);

}  // namespace exercise
