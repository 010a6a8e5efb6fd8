// CallSite: the line that called an operation.
// Every operation takes it as its last, defaulted parameter, so that an error, a printed graph or a
// NaN report names the caller's line. (clang 14 has no std::source_location with libstdc++ 12.)
#pragma once

#include "scalar.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

struct CallSite {
    const char* file = "";  // as passed to the compiler; text() shows the base name only
    int line = 0;
    const char* function = "";

    // With constructors it is not an aggregate, so {0, 2} in sum(x, {0, 2}) can only mean axes.
    constexpr CallSite() = default;
    [[gnu::always_inline]] constexpr CallSite(const char* in_file, int at_line,
                                              const char* in_function)
        : file(in_file), line(at_line), function(in_function) {}

    // Inlined in Debug builds too: every call of an operation makes one.
    [[gnu::always_inline]] static constexpr CallSite
    here(const char* file = __builtin_FILE(), int line = __builtin_LINE(),
         const char* function = __builtin_FUNCTION()) {
        return CallSite{file, line, function};
    }

    std::string text() const;  // "08_causal_attention.cpp:41"
};

}}  // namespace heed
