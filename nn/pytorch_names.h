// The names of a state saved by PyTorch, as ours.
#pragma once

#include "state_dict.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// Renames the entry `theirs` to `ours`, if it is there. Returns a description of what is wrong, or
// "".
std::string rename(StateDict& state, const std::string& theirs, const std::string& ours);
// linear1 and linear2 of PyTorch's transformer layers are feed_forward.W_1 and W_2 here.
std::string adopt_feed_forward(StateDict& state, const std::string& prefix);

}}  // namespace heed
