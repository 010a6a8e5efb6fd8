// way_back(): from one number back to the leaves. Of each layer on the way, and of each table that
// was looked up in, the entry on which the number depends most.
#pragma once

#include "../node.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct StepBack {
    const Node* node;         // a layer's output, or a leaf
    const ScopeFrame* layer;  // null for a leaf
    Dims index;               // of the entry on which the number depends most,
    Scalar derivative;        // and how: d(number)/d(entry)
};

// The layers are those beside and around the one in which `of` was computed, not those inside them;
// the leaves are those that an index_select reads, and if there is none, the one that matters most.
// `upstream` is 1 at the number. The graph must still exist. Errors (std::runtime_error): `of` is a
// constant; its graph was freed.
std::vector<StepBack> way_back(const Variable& of, const Tensor& upstream, const CallSite& site);

}}  // namespace heed
