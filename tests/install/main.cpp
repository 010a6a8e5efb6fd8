// A user's program: a product, a derivative, and an error that names this file.
#include "heed/autograd/ops.h"
#include "heed/autograd/variable.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/matmul.h"
#include "tensor/tensor.h"  // the program's own

#include <iostream>
#include <string>

int main() {
    if (size_of_own_tensor() != 7) return 1;
    const heed::Tensor A = heed::tensor::of({{1, 2}, {3, 4}, {5, 6}});
    const heed::Tensor B = heed::tensor::of({{1, 0, -1}, {2, 1, 3}});
    const heed::Tensor C = heed::tensor::matmul(A, B);
    if (C(2, 0) != 17 || C(0, 2) != 5 || C.dim(0) != 3) {
        std::cerr << "the product is wrong\n" << C << "\n";
        return 1;
    }

    heed::Variable x(heed::tensor::of({3, -2}), heed::requires_grad);
    heed::sum(x * x).backward();
    if (x.grad()(0) != 6 || x.grad()(1) != -4) {
        std::cerr << "the derivative of the sum of squares is wrong\n" << x.grad() << "\n";
        return 1;
    }

    try {
        heed::tensor::matmul(A, A);
    } catch (const heed::ShapeError& error) {
        const std::string words = error.what();
        if (words.find("main.cpp") == std::string::npos) {
            std::cerr << "the error does not name the caller:\n" << words << "\n";
            return 1;
        }
        std::cout << "heed works in " << heed::scalar_name << "\n";
        return 0;
    }
    std::cerr << "a wrong shape was taken\n";
    return 1;
}
