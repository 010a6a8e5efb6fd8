// The smallest program one would write with heed, to measure its startup time.
// With an argument it also prints its peak memory.
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tests/benchmarks/process.h"

#include <iostream>

int main(int count, char**) {
    const heed::Tensor a = heed::tensor::of({1, 2});
    const heed::Tensor b = heed::tensor::of({3, 4});
    std::cout << a + b << '\n';
    if (count > 1) std::cout << heed::benchmarks::peak_memory_bytes() << '\n';
    std::cout.flush();
    return std::cout ? 0 : 2;
}
