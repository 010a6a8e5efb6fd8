// The page of a lesson: one HTML file that needs nothing else, written at the lesson's end.
#pragma once

#include "tutorials/support/options.h"
#include "tutorials/support/page.h"

#include <string>
#include <vector>

namespace tutorial {

// Error: the file cannot be written (std::runtime_error). It stays as it is.
void check_page_file(const std::string& path);

// The page as text. `path` is that of the file it will be: one with the lesson's own name is taken
// for a page of the book, and links to its neighbours there, and to other pages of the lesson that
// are beside it.
std::string lesson_page(const Description& description, const std::vector<PageEvent>& events,
                        const std::string& path);

// Writes it, whole or not at all. Error: as check_page_file().
void write_lesson_page(const std::string& path, const Description& description,
                       const std::vector<PageEvent>& events);

}  // namespace tutorial
