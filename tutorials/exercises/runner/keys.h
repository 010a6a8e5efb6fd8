// Keys, read one by one. The terminal must be in the mode for them (KeyByKey).
#pragma once

namespace exercise {

enum : int { no_key = 0, escape = 27, unknown_key = 256, end_of_input = 257 };

// Waits for a key, at most so long. Arrows, function keys and characters beyond ASCII are
// `unknown_key`. Throws Stopped if a signal asks for it.
int key(int milliseconds);

}  // namespace exercise
