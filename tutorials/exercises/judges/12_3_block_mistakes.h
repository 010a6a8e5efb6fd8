// The walk of exercise 12.3 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/12_3_block.h"

#include <string>
#include <vector>

namespace exercise {

BlockFunction block_walked(const std::string& name, const Slips& slip);
// Of pre_norm and of post_norm, qualified by its name: see Slips::in.
std::vector<Mistake> block_mistakes();

}  // namespace exercise
