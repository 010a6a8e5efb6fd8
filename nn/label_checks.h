// Range checks: of integer labels (ids of table rows, or classes), and of the number of parts.
#pragma once

#include "../tensor/errors.h"
#include "../tensor/index_tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// "there are 3 layers, numbered 0 to 2"
inline std::string numbered(std::int64_t count, const char* things) {
    if (count < 1) return text("there are no ", things);
    return text("there are ", count, " ", things, ", numbered 0 to ", count - 1);
}

// Error: an entry of `labels` outside 0 ... count - 1 that is not `allowed` (std::out_of_range,
// which gives its index). `what` names one entry ("id"), `things` what is counted.
inline void check_labels(const char* operation, const char* what, const IndexTensor& labels,
                         std::int64_t count, const char* things, const CallSite& site,
                         std::optional<std::int64_t> allowed = std::nullopt) {
    for (std::int64_t i = 0; i < labels.numel(); ++i) {
        const std::int64_t label = labels.data()[i];
        if ((label >= 0 && label < count) || label == allowed) continue;
        fail_range(operation, site, what, " ", label, " at ", unravelled(i, labels.shape()),
                   " is out of range: ", numbered(count, things));
    }
}

// For what is made one by one, such as layers or heads, with a name such as "num_layers". Error:
// fewer than 1, or so many that making them would not end (std::invalid_argument).
inline void check_number_of(const char* operation, const char* parts, std::int64_t number,
                            const CallSite& site) {
    constexpr std::int64_t most = 1'000'000;
    if (number >= 1 && number <= most) return;
    fail_argument(operation, site, parts, " is ", number, "; it must be at ",
                  number < 1 ? "least " : "most ", number < 1 ? 1 : most);
}

}}  // namespace heed
