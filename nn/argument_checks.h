// Checks of arguments that many layers share: sizes, and integer labels (ids of table rows, or
// classes).
#pragma once

#include "../tensor/errors.h"
#include "../tensor/index_tensor.h"

#include <initializer_list>
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

struct NamedSize {
    const char* name;
    std::int64_t size;
};

// Error: a size below 1 (std::invalid_argument, which gives all of them).
inline void check_sizes(const char* operation, std::initializer_list<NamedSize> sizes,
                        const CallSite& site) {
    bool fit = true;
    for (const NamedSize& one : sizes) fit = fit && one.size >= 1;
    if (fit) return;
    std::string given;
    for (const NamedSize* one = sizes.begin(); one != sizes.end(); ++one) {
        const bool last = one + 1 == sizes.end();
        given += text(given.empty() ? "" : last ? " and " : ", ", one->name, " is ", one->size);
    }
    const char* const which = sizes.size() == 1 ? "it" : sizes.size() == 2 ? "both" : "all";
    fail_argument(operation, site, given, "; ", which, " must be at least 1");
}

// For what is made one by one, such as layers or heads, with a name such as "num_layers". Error:
// fewer than 1, or so many that making them would not end (std::invalid_argument).
inline void check_number_of(const char* operation, const char* parts, std::int64_t number,
                            const CallSite& site) {
    constexpr std::int64_t most = 1'000'000;
    check_sizes(operation, {{parts, number}}, site);
    if (number <= most) return;
    fail_argument(operation, site, parts, " is ", number, "; it must be at most ", most);
}

// For a list of layers or heads, which is public. Error: it is empty (std::invalid_argument).
template <class List>
void check_not_empty(const char* layer, const char* parts, const List& list, const char* whole,
                     const CallSite& site) {
    if (!list.empty()) return;
    fail_argument(layer, site, "there are no ", parts, "; were they, or the ", whole,
                  ", moved from?");
}

}}  // namespace heed
