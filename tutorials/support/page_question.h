// A question of predict.h on a page: a form that lesson_page.js answers.
#pragma once

#include "tutorials/support/page.h"

#include <string>

namespace tutorial {

// `id` names its field.
std::string question_as_html(const PageEvent& event, const std::string& id);

}  // namespace tutorial
