// The book: the pages of all lessons in one folder, and the page that lists them.
#pragma once

#include "tutorials/support/lesson_facts.h"

#include <string>
#include <vector>

namespace tutorial {

// The first page: title, minutes and what is built of each lesson, in reading order, with what it
// needs and what needs it. Those whose name is not in `written` have no link; where NAME.walk or
// NAME.run is in it, there is one to that page, and at the top to the playground.
std::string book_index(const std::vector<LessonFacts>& lessons,
                       const std::vector<std::string>& written);

// Writes FOLDER/index.html for the pages that are there. Errors (std::runtime_error): the folder is
// not there, or not writable.
void write_book_index(const std::string& folder);

}  // namespace tutorial
