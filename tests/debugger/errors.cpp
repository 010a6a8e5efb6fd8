// A program for until-error: a NaN behind 300,000 numbers, a gradient that is infinite, and an
// error that is caught.
#include "nn/heed.h"

#include <iostream>

using namespace heed;

namespace {
void a_logarithm() {
    Tensor numbers = tensor::ones({600, 500});
    numbers.writable_data()[299'998] = -1;
    const Variable x(numbers, requires_grad);
    const Variable y = log(x);  // a NaN at [599, 498]
    std::cout << y.shape() << "\n";
}

void a_root() {
    const Variable x(tensor::of({4, 0}), requires_grad);
    const Variable y = sum(sqrt(x));
    y.backward();  // 1 / (2·√0)
    std::cout << x.grad() << "\n";
}

void a_shape() {
    const Variable a(tensor::ones({2, 3}));
    try {
        matmul(a, a);  // [2, 3] times [2, 3]
    } catch (const ShapeError& error) {
        std::cout << error.what() << "\n";
    }
}

void a_mask() {
    const Variable x(tensor::ones({2, 2}), requires_grad);
    const Variable allowed = masked_fill(x, Mask::causal(2).blocked(), -infinity);
    std::cout << softmax(allowed, -1) << "\n";
}
}  // namespace

int main() {
    a_mask();
    a_logarithm();
    a_root();
    a_shape();
    std::cout << "the end\n";
}
