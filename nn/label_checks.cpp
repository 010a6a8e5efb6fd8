#include "label_checks.h"

#include "../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

void check_labels(const char* operation, const char* what, const IndexTensor& labels,
                  std::int64_t count, const char* things, const CallSite& site,
                  std::optional<std::int64_t> allowed) {
    for (std::int64_t i = 0; i < labels.numel(); ++i) {
        const std::int64_t label = labels.data()[i];
        if ((label >= 0 && label < count) || label == allowed) continue;
        fail_range(operation, site, what, " ", label, " at ", unravelled(i, labels.shape()),
                   " is out of range: there are ", count, " ", things, ", which count from 0");
    }
}

}}  // namespace heed
