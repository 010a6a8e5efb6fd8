// What a debugger's `why` asks: the entry point through which it calls explain() and way_back(),
// which takes addresses and returns text, also for errors, and way_back() itself.
// tutorials/debugger/heed_debug/why.py writes the question and calls it.
#pragma once

#include "../node.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct WhyQuestion {
    const void* variable;  // a Variable, or null: the way back from `of`
    const void* of;        // a Variable, or null for the stored gradient
    std::int64_t rank;     // the number of indices
    std::int64_t index[8];
    std::int64_t of_rank;  // the number of indices into `of`; 0: it has one entry
    std::int64_t of_index[8];
    char name[256];      // as the user wrote it
    const char* answer;  // where a debugger finds it if its call of the function below fails
};
extern WhyQuestion why_question;

// The answer is valid until the next call.
const char* why_at_breakpoint();

// From one number back to the leaves: of each layer on the way, and of each table that was looked
// up in, the entry on which the number depends most.
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
