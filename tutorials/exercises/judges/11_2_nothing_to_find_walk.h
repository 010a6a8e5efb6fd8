// What exercise 11.2 measures, list by list, with the mistakes that can be made in it.
#pragma once

#include "tutorials/exercises/judges/11_2_nothing_to_find.h"

namespace exercise {

Rest rest_walk(const Lists& lists, const Slips& slip);

}  // namespace exercise
