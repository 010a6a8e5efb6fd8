// Finds what the members() of a layer forgets.
#pragma once

#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

// Errors (std::invalid_argument): within the bytes of a layer of the tree lies a layer or parameter
// that its members() neither visits nor leaves out, so it would not be trained, saved or switched
// to evaluation; two layers that would draw the same random numbers, since one is a copy of the
// other. A forgotten std::vector or std::unique_ptr holds its layers elsewhere: Optimizer::step()
// finds those that were used.
void check_members(const Member& tree, const CallSite& site);

}}  // namespace heed
