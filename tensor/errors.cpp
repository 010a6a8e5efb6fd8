// The functions that throw, and the common form of all messages.
#include "errors.h"

namespace heed { inline namespace HEED_PRECISION {

std::string error_text(const std::string& operation, const std::string& problem,
                       const CallSite& site) {
    return operation + ": " + problem + "\n  at " + site.text() + ", in " + site.function +
           Scope::trail();
}

void fail_shape(const std::string& operation, const std::string& problem, const CallSite& site) {
    throw ShapeError(error_text(operation, problem, site));
}

void fail_argument(const std::string& operation, const std::string& problem, const CallSite& site) {
    throw std::invalid_argument(error_text(operation, problem, site));
}

void fail_range(const std::string& operation, const std::string& problem, const CallSite& site) {
    throw std::out_of_range(error_text(operation, problem, site));
}

void fail_runtime(const std::string& operation, const std::string& problem, const CallSite& site) {
    throw std::runtime_error(error_text(operation, problem, site));
}

void fail_memory(const std::string& operation, const std::string& problem, const CallSite& site) {
    throw OutOfMemory(error_text(operation, problem, site));
}

}}  // namespace heed
