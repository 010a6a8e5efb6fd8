// FastKernels: which kernels are in use, and that it changes no bit.
#include "tensor/runtime/fast_kernels.h"

#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tests/catch.h"

#include <cstdlib>
#include <string>

using namespace heed;

TEST_CASE("fast kernels are in use for their lifetime, unless others are asked for by name",
          "[tensor][kernels]") {
    const kernels::Table* const before = &kernels::active();
    const char* const named = std::getenv("HEED_KERNELS");
    const bool is_named = named && std::string(named) != "";
    const kernels::Available found = kernels::available();
    const kernels::Table* const best = found.tables[found.count - 1];
    Random random(1);
    const Tensor A = tensor::normal({50, 60}, random), B = tensor::normal({60, 70}, random);
    const Tensor expected = tensor::matmul(A, B);
    {
        const FastKernels fast;
        CHECK(&kernels::active() == (is_named ? before : best));
        CHECK(tensor::same_bits(tensor::matmul(A, B), expected));
        {
            const FastKernels again;
            CHECK(&kernels::active() == (is_named ? before : best));
        }
        CHECK(&kernels::active() == (is_named ? before : best));
    }
    CHECK(&kernels::active() == before);
}
