// The cases of exercises with several holes, and of functions that are called more than once.
#pragma once

#include "tutorials/exercises/judging/cases.h"
#include "tutorials/exercises/judging/exercise.h"

#include <string>
#include <vector>

namespace exercise {

// All cases of the first hole, then those of the second, and so on.
inline std::vector<Case> hole_by_hole(const std::vector<std::vector<Case>>& holes) {
    std::vector<Case> cases;
    for (const std::vector<Case>& its : holes) {
        cases.insert(cases.end(), its.begin(), its.end());
    }
    return cases;
}

}  // namespace exercise
