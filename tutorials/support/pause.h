// What --stop does: at each named stop the program shows the locals given there, and waits.
#pragma once

namespace tutorial {

// From now on every heed::stop shows its name, its line and its locals: the shape, strides where
// they are not those of a contiguous tensor, what made it, its gradient where it has one, and its
// numbers, of large ones the first and the last. Then it waits for a line: Enter goes on, q throws
// Quit (reader.h). At the end of the input it goes on showing, and waits no more.
void pause_at_stops();
void no_pause_at_stops();

}  // namespace tutorial
