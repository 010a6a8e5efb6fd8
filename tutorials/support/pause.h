// Implements --stop: at each named stop the program shows the given locals and waits.
#pragma once

namespace tutorial {

// After this call every heed::stop shows its name, its line and its locals: shape, strides unless
// contiguous, the operation that made it, its gradient if any, and its numbers, abbreviated if
// there are many. Then it waits for a line: Enter continues, q throws Quit (reader.h). At end of
// input it keeps showing but no longer waits.
void pause_at_stops();
void no_pause_at_stops();

}  // namespace tutorial
