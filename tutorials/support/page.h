// The page that a lesson writes with --html FILE: what a lesson itself says to it.
#pragma once

#include <string>

namespace tutorial {

// True while a page of this lesson is written (--html FILE).
bool page_is_written();
// A picture at this place of the page, as SVG text; nothing without --html. The terminal never
// shows it.
void draw(const std::string& svg);

}  // namespace tutorial
