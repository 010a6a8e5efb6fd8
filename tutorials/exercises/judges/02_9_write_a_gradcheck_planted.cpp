#include "tutorials/exercises/judges/02_9_write_a_gradcheck_planted.h"

#include "tutorials/exercises/judging/inputs.h"

#include "autograd/grad.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace exercise {

namespace {

using Tensors = std::vector<Tensor>;
using Recorded = std::function<Variable(const std::vector<Variable>& inputs)>;

TensorFunction values_of_function(const Recorded& f) {
    return [=](const Tensors& inputs) {
        std::vector<Variable> constants(inputs.begin(), inputs.end());
        return f(constants).value();
    };
}

TensorGradients true_gradients(const Recorded& f) {
    return [=](const Tensors& inputs, const Tensor& G) {
        std::vector<Variable> leaves;
        for (const Tensor& input : inputs) leaves.emplace_back(input, requires_grad);
        Tensors found;
        for (const Variable& one : grad(f(leaves), leaves, {.upstream = G})) {
            found.push_back(one.value());
        }
        return found;
    };
}

// The right gradients, with another one for input i.
using Change = std::function<Tensor(const Tensor& right, const Tensors& inputs, const Tensor& G)>;
TensorGradients changed(const TensorGradients& right, std::size_t i, const Change& change) {
    return [=](const Tensors& inputs, const Tensor& G) {
        Tensors gradients = right(inputs, G);
        gradients[i] = change(gradients[i], inputs, G);
        return gradients;
    };
}

TensorGradients off(const TensorGradients& right, std::size_t i, std::size_t entry, double by) {
    return changed(right, i, [=](const Tensor& gradient, const Tensors&, const Tensor&) {
        std::vector<Scalar> numbers = gradient.to_vector();
        numbers[entry] += by;
        return tensor::from_vector(numbers, gradient.shape());
    });
}

Differentiated function(const std::string& name, const Recorded& f,
                        const std::vector<std::string>& names, const Tensors& inputs) {
    return {name,
            values_of_function(f),
            names,
            inputs,
            {{"the true derivative", true_gradients(f), std::vector<bool>(inputs.size(), true)}}};
}

// G with zeros for all but one entry, also where several are the largest, as in a G of signs.
Tensor largest_alone(const Tensor& G) {
    std::vector<Scalar> numbers = G.to_vector();
    const auto smaller = [](Scalar a, Scalar b) { return std::fabs(a) < std::fabs(b); };
    const auto largest = std::max_element(numbers.begin(), numbers.end(), smaller);
    const Scalar kept = *largest;
    std::fill(numbers.begin(), numbers.end(), 0);
    *largest = kept;
    return tensor::from_vector(numbers, G.shape());
}

Differentiated of_softmax() {
    const Recorded f = [](const std::vector<Variable>& in) { return softmax(in[0], -1); };
    Differentiated softmax = function("softmax", f, {"X"}, {random({3, 4}, 1)});
    const TensorGradients right = true_gradients(f);
    const auto plant = [&](const std::string& what, const Change& change) {
        softmax.planted.push_back({what, changed(right, 0, change), {false}});
    };
    const auto Y = [](const Tensors& in) { return tensor::softmax(in[0], -1); };
    plant("zeros", [](const Tensor& of_X, const Tensors&, const Tensor&) {
        return tensor::zeros_like(of_X);
    });
    plant("Y·G, without the sum",
          [=](const Tensor&, const Tensors& in, const Tensor& G) { return Y(in) * G; });
    plant("Y·(G - the mean of G)", [=](const Tensor&, const Tensors& in, const Tensor& G) {
        return Y(in) * (G - tensor::mean(G, -1, keepdim));
    });
    plant("the true one of row 0, and zeros below",
          [](const Tensor& of_X, const Tensors&, const Tensor&) {
              return of_X * tensor::of({{1}, {0}, {0}});
          });
    plant("a NaN in the last entry", [](const Tensor& of_X, const Tensors&, const Tensor&) {
        std::vector<Scalar> numbers = of_X.to_vector();
        numbers.back() = std::nan("");
        return tensor::from_vector(numbers, of_X.shape());
    });
    plant("an infinity in the first entry", [](const Tensor& of_X, const Tensors&, const Tensor&) {
        std::vector<Scalar> numbers = of_X.to_vector();
        numbers.front() = HUGE_VAL;
        return tensor::from_vector(numbers, of_X.shape());
    });
    plant("the derivative of ½·Σ y²",  // right for y as G
          [=](const Tensor&, const Tensors& in, const Tensor&) { return right(in, Y(in))[0]; });
    plant("the true one for a G with its largest entry alone",
          [=](const Tensor&, const Tensors& in, const Tensor& G) {
              return right(in, largest_alone(G))[0];
          });
    softmax.planted.push_back(
        {"0.000008 too much in its third entry", off(right, 0, 2, 8e-6), {false}});
    softmax.planted.push_back(
        {"0.001 too much in its last entry", off(right, 0, 11, 1e-3), {false}});
    return softmax;
}

Differentiated of_linear() {
    const Recorded f = [](const std::vector<Variable>& in) { return matmul(in[0], in[1]) + in[2]; };
    Differentiated linear =
        function("x·W + b", f, {"x", "W", "b"},
                 {random({5, 3}, 2), random({3, 3}, 3), tensor::of({0, -0.8, 1.3})});
    const TensorGradients right = true_gradients(f);
    linear.planted.push_back(
        {"the derivative for a G of ones",
         [=](const Tensors& in, const Tensor& G) { return right(in, tensor::ones_like(G)); },
         {false, false, false}});
    linear.planted.push_back({"∂L/∂b as 5 times the first row of G",
                              changed(right, 2,
                                      [](const Tensor&, const Tensors&, const Tensor& G) {
                                          return tensor::select(G, 0, 0) * 5;
                                      }),
                              {true, true, false}});
    linear.planted.push_back({"∂L/∂b as 5 times the middle row of G",  // right for 1, 2, 3, … as G
                              changed(right, 2,
                                      [](const Tensor&, const Tensors&, const Tensor& G) {
                                          return tensor::select(G, 0, 2) * 5;
                                      }),
                              {true, true, false}});
    linear.planted.push_back({"∂L/∂W transposed",
                              changed(right, 1,
                                      [](const Tensor& of_W, const Tensors&, const Tensor&) {
                                          return tensor::transpose(of_W);
                                      }),
                              {true, false, true}});
    linear.planted.push_back({"∂L/∂b of shape [1, 3]",
                              changed(right, 2,
                                      [](const Tensor& of_b, const Tensors&, const Tensor&) {
                                          return tensor::unsqueeze(of_b, 0);
                                      }),
                              {true, true, false}});
    linear.planted.push_back({"∂L/∂W with 0.001 too much in its last entry",
                              off(right, 1, 8, 1e-3),
                              {true, false, true}});
    linear.planted.push_back({"∂L/∂x with 0.001 too little in its first entry",
                              off(right, 0, 0, -1e-3),
                              {false, true, true}});
    linear.planted.push_back({"∂L/∂b with 0.0001 too much in its middle entry",
                              off(right, 2, 1, 1e-4),
                              {true, true, false}});
    return linear;
}

Differentiated of_products() {
    const Recorded f = [](const std::vector<Variable>& in) {
        return sin(in[0]) * in[1] + tanh(in[2]);
    };
    Differentiated products =
        function("sin(a)·b + tanh(c), a and G transposed views", f, {"a", "b", "c"},
                 {tensor::transpose(random({3, 2}, 5)), random({2, 3}, 6), random({2, 3}, 7)});
    products.G = tensor::transpose(random({3, 2}, 17));
    const TensorGradients right = true_gradients(f);
    products.planted.push_back({"∂L/∂a and ∂L/∂b exchanged",
                                [=](const Tensors& in, const Tensor& G) {
                                    Tensors gradients = right(in, G);
                                    std::swap(gradients[0], gradients[1]);
                                    return gradients;
                                },
                                {false, false, true}});
    products.planted.push_back(
        {"∂L/∂c as G",
         changed(right, 2, [](const Tensor&, const Tensors&, const Tensor& G) { return G; }),
         {true, true, false}});
    products.planted.push_back({"∂L/∂a with 0.05 too little in its fourth entry",
                                off(right, 0, 3, -0.05),
                                {false, true, true}});
    return products;
}

Differentiated of_one_number() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[0] * in[0]; };
    Differentiated cube = function("x³ of one number, shape []", f, {"x"}, {tensor::of(1.5)});
    cube.planted.push_back({"x² in place of 3x²",
                            changed(true_gradients(f), 0,
                                    [](const Tensor&, const Tensors& in, const Tensor& G) {
                                        return in[0] * in[0] * G;
                                    }),
                            {false}});
    return cube;
}

// Waves so short that a step of 0.01 is too long, on a height of 1000 where a step of 1e-12 is
// lost. At 0 a step that is a share of the entry is none.
Differentiated of_waves() {
    const Recorded f = [](const std::vector<Variable>& in) { return sin(20 * in[0]) + 1000; };
    Differentiated waves =
        function("sin(20·x) + 1000", f, {"x"}, {tensor::of({0.6, -1.1, 0, 1.7, -0.3})});
    waves.planted.push_back({"∂L/∂x with 0.02 too much in its second entry",
                             off(true_gradients(f), 0, 1, 0.02),
                             {false}});
    return waves;
}

// One number of all entries together: an entry that was not moved back shows in the next ones.
Differentiated of_a_sum() {
    const Recorded f = [](const std::vector<Variable>& in) { return sin(100 * sum(in[0])); };
    return function("sin(100·Σ x)", f, {"x"}, {random({3, 4}, 9)});
}

Differentiated of_slopes() {
    const Recorded f = [](const std::vector<Variable>& in) { return exp(4 * in[0]); };
    return function("exp(4·x), with slopes around 100000", f, {"x"},
                    {random({2, 3}, 10, 0.1) + 2.6});
}

// A slope of 1 beside one of a million.
Differentiated of_unequal_slopes() {
    const Recorded f = [](const std::vector<Variable>& in) {
        return in[0] * Variable(tensor::of({1e6, 1}));
    };
    Differentiated unequal = function("x·(1000000, 1)", f, {"x"}, {tensor::of({0.001, 0.7})});
    unequal.planted.push_back({"∂L/∂x with 0.02 too much in its second entry",
                               off(true_gradients(f), 0, 1, 0.02),
                               {false}});
    return unequal;
}

// sin² + cos² is 1 up to rounding: differences say almost 0.
Differentiated of_zero_slopes() {
    const Recorded f = [](const std::vector<Variable>& in) {
        const Variable s = sin(in[1]), c = cos(in[1]);
        return in[0] * in[0] + 10 * (s * s + c * c);
    };
    Differentiated flat =
        function("x² + 10·(sin² z + cos² z)", f, {"x", "z"}, {random({4}, 11), random({4}, 12)});
    flat.planted.push_back(
        {"∂L/∂z of 0.001 in its first entry", off(true_gradients(f), 1, 0, 1e-3), {true, false}});
    return flat;
}

// Corners: to the left and to the right of 0 the slope is another.
Differentiated of_corners() {
    const Recorded f = [](const std::vector<Variable>& in) { return abs(in[0]) * 2; };
    return function("2·|x|", f, {"x"}, {tensor::of({{0, 1.5}, {-0.7, 0}})});
}

// Two inputs that are one tensor: whoever moves an entry in place moves it in both.
Differentiated of_the_same_twice() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[1]; };
    const Tensor both = random({2, 3}, 13);
    return function("a·b, where a and b are one tensor", f, {"a", "b"}, {both, both});
}

// y has as many entries as x, in another shape.
Differentiated of_a_transpose() {
    const Recorded f = [](const std::vector<Variable>& in) { return sin(transpose(in[0])); };
    return function("sin(xᵀ)", f, {"x"}, {random({2, 3}, 14)});
}

Differentiated of_a_factor() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[1]; };
    Differentiated product =
        function("x·w, w of shape [1]", f, {"x", "w"}, {random({3}, 15), random({1}, 16)});
    product.planted.push_back(
        {"no entries for ∂L/∂w",
         changed(true_gradients(f), 1,
                 [](const Tensor&, const Tensors&, const Tensor&) { return Tensor(); }),
         {true, false}});
    return product;
}

// On such a height a step of 1e-9 is lost.
Differentiated of_heights() {
    const Recorded f = [](const std::vector<Variable>& in) { return in[0] * in[0] + 30000; };
    return {"x² + 30000", values_of_function(f), {"x"}, {random({5}, 18)}, {}};
}

// Two changes a hundred thousand times as large as their sum.
Differentiated of_a_small_rest() {
    const Recorded f = [](const std::vector<Variable>& in) {
        return in[0] * Variable(tensor::of({{100000}, {99999}}));
    };
    return {"x·100000 and x·99999, with 1 and -1 as G",
            values_of_function(f),
            {"x"},
            {tensor::of({0.3, -0.7})},
            {},
            tensor::of({{1, 1}, {-1, -1}})};
}

}  // namespace

std::vector<Differentiated> differentiated_functions() {
    return {of_softmax(),     of_linear(),  of_products(),       of_one_number(),
            of_waves(),       of_a_sum(),   of_slopes(),         of_unequal_slopes(),
            of_zero_slopes(), of_corners(), of_the_same_twice(), of_a_transpose(),
            of_a_factor(),    of_heights(), of_a_small_rest()};
}

}  // namespace exercise
