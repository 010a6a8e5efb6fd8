// The smallest program one would write with heed: what does it cost to start it?
// With an argument it also says how much memory it had at most.
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "tests/benchmarks/process.h"

#include <iostream>

int main(int count, char**) {
    const heed::Tensor a = heed::tensor::of({1, 2});
    const heed::Tensor b = heed::tensor::of({3, 4});
    std::cout << a + b << '\n';
    if (count > 1) std::cout << heed::benchmarks::peak_memory_bytes() << '\n';
}
