// 02.9 Write a gradcheck                                     fill · 25 minutes · about 16 lines
//
// Whoever works out a derivative should also measure it. Let L = Σ G·f(inputs), with one number of
// G = ∂L/∂y for each entry of y = f(inputs). Move a single entry x of an input by a small h to both
// sides, leave all others where they are, and see how L changes (a central difference):
//     ∂L/∂x ≈ Σ G·(f(… x + h …) - f(… x - h …)) / 2h
// Do so for every entry, and compare with what the derivative says. G must be random: with a G of
// ones, softmax would pass with a derivative of 0, since its rows always sum to 1. Lesson 02.7.
//
// numerical_gradient: the central differences for all entries of inputs[i] and a given G, of the
// shape of inputs[i].
// check_derivative: choose a random G of the shape of y; the derivative under test gives ∂L/∂ each
// input for it. For each input say whether that is right: of the shape of its input, and every
// entry within 1e-6·(1 + |n|) of the numerical one, n. NaN is wrong.
// Inputs and y have any shape, [] too; inputs may be views and must not change. In double precision
// h = 1e-5 is good: a much larger h sees the curve bend, a much smaller one only rounding errors.
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/reduce.h"

using namespace heed;
using exercise::TensorFunction;
using exercise::TensorGradients;

// The inputs, with one entry of input i moved (entries count in row-major order). Nothing is
// missing here.
std::vector<Tensor> moved(const std::vector<Tensor>& inputs, std::size_t i, std::size_t entry,
                          double by) {
    std::vector<Scalar> numbers = inputs[i].to_vector();
    numbers[entry] += by;
    std::vector<Tensor> others = inputs;
    others[i] = tensor::from_vector(numbers, inputs[i].shape());
    return others;
}

Tensor numerical_gradient(const TensorFunction& f, const std::vector<Tensor>& inputs, std::size_t i,
                          const Tensor& G) {
    // begin stub, stop in numerical_gradient
    //     exercise::not_done("02.9");
    // begin solution
    const double h = 1e-5;
    std::vector<Scalar> slopes;
    for (std::size_t entry = 0; entry < inputs[i].to_vector().size(); ++entry) {
        const Tensor above = f(moved(inputs, i, entry, h));
        const Tensor below = f(moved(inputs, i, entry, -h));
        slopes.push_back(tensor::sum(G * (above - below)).item() / (2 * h));
    }
    return tensor::from_vector(slopes, inputs[i].shape());
    // end
}

std::vector<bool> check_derivative(const TensorFunction& f, const TensorGradients& derivative,
                                   const std::vector<Tensor>& inputs) {
    // begin stub
    //     exercise::not_done("02.9");
    // begin solution
    Random random(7);
    const Tensor G = tensor::normal(f(inputs).shape(), random);
    const std::vector<Tensor> received = derivative(inputs, G);
    std::vector<bool> is_right;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor expected = numerical_gradient(f, inputs, i, G);
        is_right.push_back(tensor::all_close(received[i], expected, 1e-6, 1e-6));
    }
    return is_right;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_9({numerical_gradient, check_derivative}), argc, argv);
}
