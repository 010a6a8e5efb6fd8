#include "pytorch_names.h"

#include "../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

std::string rename(StateDict& state, const std::string& theirs, const std::string& ours) {
    if (!state.contains(theirs)) return "";
    if (state.contains(ours)) {
        return text("\n  given twice: '", theirs, "' stands for '", ours, "', which is there too");
    }
    state.add(ours, state.take(theirs));
    return "";
}

std::string adopt_feed_forward(StateDict& state, const std::string& prefix) {
    std::string problems;
    for (const char* part : {"weight", "bias"}) {
        problems +=
            rename(state, text(prefix, "linear1.", part), text(prefix, "feed_forward.W_1.", part));
        problems +=
            rename(state, text(prefix, "linear2.", part), text(prefix, "feed_forward.W_2.", part));
    }
    return problems;
}

}}  // namespace heed
