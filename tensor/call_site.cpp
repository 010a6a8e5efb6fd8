#include "call_site.h"

#include <cstring>

namespace heed { inline namespace HEED_PRECISION {

std::string CallSite::text() const {
    const char* slash = std::strrchr(file, '/');
    const char* base = slash ? slash + 1 : file;
    return std::string(base) + ":" + std::to_string(line);
}

}}  // namespace heed
