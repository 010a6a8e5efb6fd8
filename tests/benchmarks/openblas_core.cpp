#include "tests/benchmarks/openblas_core.h"

#include "tensor/quote.h"

#include <algorithm>
#include <initializer_list>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
bool is_one_of(const std::string& core, std::initializer_list<const char*> cores) {
    return std::any_of(cores.begin(), cores.end(), [&](const char* name) { return core == name; });
}

bool uses_avx512(const std::string& core) {
    return is_one_of(core, {"SkylakeX", "Cooperlake", "SapphireRapids"});
}

bool uses_avx2(const std::string& core) {
    return uses_avx512(core) || is_one_of(core, {"Haswell", "Zen"});
}

}  // namespace

std::string better_core(const std::string& detected, const std::string& best_kernels) {
    if (detected.empty()) return "";
    if (best_kernels == "avx512" && !uses_avx512(detected)) return "SkylakeX";
    if (best_kernels == "avx2" && !uses_avx2(detected)) return "Haswell";
    return "";
}

std::string core_text(const std::string& detected, const std::string& asked_for,
                      const std::string& used, const std::string& best_kernels) {
    if (used.empty()) return "none";
    const std::string core = printable(used);
    if (!asked_for.empty()) return core + ", for OPENBLAS_CORETYPE is " + in_quotes(asked_for);
    if (used == detected) return core + ", as it detected";
    return core + ", set by OPENBLAS_CORETYPE: it detected " + printable(detected) +
           ", and this processor has " + best_kernels;
}

}}}  // namespace heed::benchmarks
