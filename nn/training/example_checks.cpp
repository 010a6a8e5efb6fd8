#include "example_checks.h"

#include "../../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

void check_examples(const char* data, const std::vector<std::int64_t>& examples, std::int64_t size,
                    const CallSite& site) {
    if (examples.empty()) fail_argument(data, site, "a batch of no examples is asked for");
    for (const std::int64_t example : examples) {
        if (example >= 0 && example < size) continue;
        fail_range(data, site, "there is no example ", example, "; they are numbered 0 to ",
                   size - 1);
    }
}

}}  // namespace heed
