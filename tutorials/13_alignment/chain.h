// What has to wait for what: the longest chain of operations, each of which needs the result of the
// one before. Lessons 13 and 18.
#pragma once

#include "autograd/variable.h"

// The number of operations in it, read off the graph of x; 0 for a constant or a leaf.
std::int64_t longest_chain(const heed::Variable& x);
