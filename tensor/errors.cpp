// The common form of all messages.
#include "errors.h"

namespace heed { inline namespace HEED_PRECISION {

std::string error_text(const std::string& operation, const std::string& problem,
                       const CallSite& site) {
    return operation + ": " + problem + "\n  at " + site.text() + ", in " + site.function +
           Scope::trail();
}

}}  // namespace heed
