// The four ways to fail, and the one form of all messages.
#include "tensor/errors.h"

namespace heed::inline HEED_PRECISION {

std::string error_text(const std::string& operation, const std::string& problem,
                       const Where& where) {
    return operation + ": " + problem + "\n  at " + where.text() + ", in " + where.function +
           Scope::trail();
}

void fail_shape(const std::string& operation, const std::string& problem, const Where& where) {
    throw ShapeError(error_text(operation, problem, where));
}

void fail_argument(const std::string& operation, const std::string& problem, const Where& where) {
    throw std::invalid_argument(error_text(operation, problem, where));
}

void fail_range(const std::string& operation, const std::string& problem, const Where& where) {
    throw std::out_of_range(error_text(operation, problem, where));
}

void fail_runtime(const std::string& operation, const std::string& problem, const Where& where) {
    throw std::runtime_error(error_text(operation, problem, where));
}

}  // namespace heed::inline HEED_PRECISION
