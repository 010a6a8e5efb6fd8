// Which core type OpenBLAS is told to work for. (It is a test of the benchmark, not a measurement.)
#include "tests/catch.h"

#include "tests/benchmarks/openblas_core.h"

using namespace heed::benchmarks;

TEST_CASE("OpenBLAS gets a core type only where it detected a worse one", "[tensor][benchmarks]") {
    CHECK(better_core("Prescott", "avx512") == "SkylakeX");
    CHECK(better_core("Haswell", "avx512") == "SkylakeX");
    CHECK(better_core("Prescott", "avx2") == "Haswell");
    CHECK(better_core("Sandybridge", "avx2") == "Haswell");
    for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids"}) {
        CHECK(better_core(core, "avx512") == "");
        CHECK(better_core(core, "avx2") == "");
    }
    CHECK(better_core("Haswell", "avx2") == "");
    CHECK(better_core("Zen", "avx2") == "");
    CHECK(better_core("Prescott", "portable") == "");
    CHECK(better_core("", "avx512") == "");  // there is no OpenBLAS
}

TEST_CASE("the benchmark says which core type OpenBLAS works for, and why",
          "[tensor][benchmarks]") {
    CHECK(core_text("SkylakeX", "", "SkylakeX", "avx512") == "SkylakeX, as it detected");
    CHECK(
        core_text("Prescott", "", "SkylakeX", "avx512") ==
        "SkylakeX, set by OPENBLAS_CORETYPE: it detected Prescott, and this processor has avx512");
    CHECK(core_text("Prescott", "Prescott", "Prescott", "avx512") ==
          "Prescott, for OPENBLAS_CORETYPE is \"Prescott\"");
    CHECK(core_text("", "", "", "avx512") == "none");
}
