// The framework of a tutorial: sections, prose, checked claims, and exit codes.
#pragma once

#include "tensor/call_site.h"
#include "tutorials/support/options.h"

#include <exception>
#include <string>

namespace tutorial {

// Parses the command line, sets the colours and runs the lesson. Exit codes: 0; 1 if a claim was
// false; 2, with a message, for an invalid command line or input, for a wrong HEED_KERNELS or the
// like (before anything is printed), and for output that could not be written. If the reader quits
// at a stop or a question (q), the exit code is that of the claims so far. With --html, a file that
// cannot be written is an error before the lesson begins; a lesson that throws leaves it as it was.
int run(const Description& description, int argc, char** argv, void (*lesson)(const Options&));

// Begins a section, after flushing what was printed before.
void section(const std::string& title, heed::CallSite site = heed::CallSite::here());
// Prints prose, wrapped at 80 columns or those of a narrower terminal, and an empty line after it.
// In all these texts a formula stands between dollars, $y = x·W$, which are not printed: on a page
// it is drawn (formula.h).
void say(const std::string& prose, heed::CallSite site = heed::CallSite::here());
// Prints a formula on a line of its own, or several, a line each, and an empty line after them.
// Four spaces or more stand between two of one line. A line of words and formulas has the latter
// between dollars, and two spaces or more between columns.
void formula(const std::string& lines, heed::CallSite site = heed::CallSite::here());
// Prints what the notes say of this section, and where they are wrong, in a box apart from the
// prose. tutorials/NOTES.md has the notes' titles and all errata; cite these by id: 000-1.
void in_the_notes(const std::string& prose, heed::CallSite site = heed::CallSite::here());
// Prints a claim as checked; if it is false, the program continues and exits with 1.
void check(bool holds, const std::string& claim, heed::CallSite site = heed::CallSite::here());

// The error's message without the line it came from.
std::string first_line(const std::exception& error);

}  // namespace tutorial
