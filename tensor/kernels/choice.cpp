// Chooses the kernel table at run time.
#include "../errors.h"
#include "../quote.h"
#include "../runtime/fast_kernels.h"
#include "../runtime/parallel.h"
#include "kernels.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

namespace heed { inline namespace HEED_PRECISION {
namespace kernels {
namespace {
// Ask the processor, since the library may have been built on another machine.
#ifdef HEED_HAS_AVX2
bool machine_has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif
#ifdef HEED_HAS_AVX512
bool machine_has_avx512() {
    return machine_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
}
#endif

const Table& default_table(const Available& found) {
#ifdef HEED_PLAIN_BY_DEFAULT
    return *found.tables[0];
#else
    return *found.tables[found.count - 1];
#endif
}

}  // namespace

Available available() {
    Available found = {{&plain::table, &portable::table}, 2};
#ifdef HEED_HAS_AVX2
    if (machine_has_avx2()) found.tables[found.count++] = &avx2::table;
#endif
#ifdef HEED_HAS_AVX512
    if (machine_has_avx512()) found.tables[found.count++] = &avx512::table;
#endif
    return found;
}

const Table& named(const char* name) {
    const Available found = available();
    if (name == nullptr || *name == '\0') return default_table(found);

    std::string names;
    for (int i = 0; i < found.count; ++i) {
        if (found.tables[i]->name == std::string(name)) return *found.tables[i];
        names += (i == 0 ? "" : ", ") + std::string(found.tables[i]->name);
    }
    const std::string wanted = name;
    const bool known = wanted == "avx2" || wanted == "avx512";
    throw std::invalid_argument(
        text("HEED_KERNELS is ", in_quotes(wanted), ", ",
             known ? "which this machine cannot run" : "which is not the name of any kernels",
             "; it can be one of: ", names));
}

void refuse_flushing() {
    const volatile Scalar least = std::numeric_limits<Scalar>::min();
    const volatile Scalar half = least / 2;  // subnormal, and exact
    if (half * 2 == least) return;
    throw std::runtime_error(
        "this thread rounds the smallest numbers to zero, which changes results; if the program is "
        "linked with -Ofast or -ffast-math, add -O3 -fno-fast-math after it, or call "
        "std::fesetenv(FE_DFL_ENV) first");
}

namespace {
std::atomic<const Table*> for_now = nullptr;  // FastKernels: instead of the chosen one

const Table& chosen() {
    refuse_flushing();
    thread_count();  // rejects a bad HEED_THREADS even if no loop is long enough for threads
    return named(std::getenv("HEED_KERNELS"));
}
}  // namespace

const Table& active() {
    static const Table& table = chosen();
    const Table* const instead = for_now.load(std::memory_order_relaxed);
    return instead ? *instead : table;
}

bool are_fast() { return &active() != &plain::table; }

}  // namespace kernels

FastKernels::FastKernels() : before_(kernels::for_now) {
    kernels::active();
    const char* const wanted = std::getenv("HEED_KERNELS");
    if (wanted != nullptr && *wanted != '\0') return;
    const kernels::Available found = kernels::available();
    kernels::for_now = found.tables[found.count - 1];
}

FastKernels::~FastKernels() { kernels::for_now = before_; }

}}  // namespace heed
