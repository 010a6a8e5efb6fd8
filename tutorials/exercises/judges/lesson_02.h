// What the exercises of lesson 02 ask for.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace exercise {

// ∂L/∂a and ∂L/∂b
struct GradientPair {
    heed::Tensor a, b;
};

// The inputs a and b, and G = ∂L/∂c.
using PairGradient = std::function<GradientPair(const heed::Tensor& a, const heed::Tensor& b,
                                                const heed::Tensor& G)>;

struct MultiplyByHand {
    PairGradient of_product;   // c = a·b
    PairGradient of_quotient;  // c = a / b
};
extern const Judge<MultiplyByHand> judge_02_1;

// ∂L/∂x and ∂L/∂b
struct BiasGradients {
    heed::Tensor x, b;
};

// G = ∂L/∂y, which has the shape of y.
using BiasGradient = std::function<BiasGradients(const heed::Tensor& G)>;

struct BroadcastAddByHand {
    BiasGradient of_row;     // y = x + b, x [..., d], b [d]
    BiasGradient of_column;  // y = x + b, x [T, d], b [T, 1]
};
extern const Judge<BroadcastAddByHand> judge_02_2;

// ∂L/∂x and ∂L/∂W
struct LinearGradients {
    heed::Tensor x, W;
};
// y = x·W with x [..., T, d], W [d, e], and G = ∂L/∂y [..., T, e]
using LinearGradient = std::function<LinearGradients(const heed::Tensor& x, const heed::Tensor& W,
                                                     const heed::Tensor& G)>;
extern const Judge<LinearGradient> judge_02_3;

// inputs[n] lists the nodes from which node n was made.
using Graph = std::vector<std::vector<int>>;
using TopologicalOrder = std::function<std::vector<int>(const Graph& inputs, int output)>;
extern const Judge<TopologicalOrder> judge_02_4;

// Y = softmax(X) along the last axis, and G = ∂L/∂Y -> ∂L/∂X; all of one shape
using SoftmaxGradient = std::function<heed::Tensor(const heed::Tensor& Y, const heed::Tensor& G)>;
extern const Judge<SoftmaxGradient> judge_02_5;

// ∂L/∂x, ∂L/∂γ and ∂L/∂β
struct NormGradients {
    heed::Tensor x, gamma, beta;
};

// Of y = γ·x̂ + β, with G = ∂L/∂y; x and G [..., d], gamma [d].
using NormGradient = std::function<NormGradients(const heed::Tensor& x, const heed::Tensor& gamma,
                                                 double eps, const heed::Tensor& G)>;
extern const Judge<NormGradient> judge_02_6;

// One entry of a computation: 'x' is a leaf with this value, + - * combine the entries a and b.
struct Instruction {
    char operation;
    double value;
    std::size_t a, b;
};
using Program = std::vector<Instruction>;

// The engine runs the program, then `passes` backward passes from its last entry. Returns the
// gradients of the leaves, in order.
using TinyEngine = std::function<std::vector<double>(const Program& program, int passes)>;
extern const Judge<TinyEngine> judge_02_7;

// For softmax along the rows: scores X and G = ∂L/∂Y, both [2, 3].
struct SoftmaxInput {
    heed::Tensor X, G;
};

// For y = x·W: x, W and G = ∂L/∂y, all [3, 3].
struct MatmulInput {
    heed::Tensor x, W, G;
};

struct Traps {
    std::function<SoftmaxInput()> softmax;
    std::function<MatmulInput()> matmul;
};
extern const Judge<Traps> judge_02_8;

// y = f(inputs)
using TensorFunction = std::function<heed::Tensor(const std::vector<heed::Tensor>& inputs)>;
// ∂L/∂ each input, for G = ∂L/∂y
using TensorGradients = std::function<std::vector<heed::Tensor>(
    const std::vector<heed::Tensor>& inputs, const heed::Tensor& G)>;

struct OwnGradcheck {
    // By differences: ∂L/∂inputs[i]
    std::function<heed::Tensor(const TensorFunction& f, const std::vector<heed::Tensor>& inputs,
                               std::size_t i, const heed::Tensor& G)>
        numerical_gradient;
    // For each input: is `derivative` right?
    std::function<std::vector<bool>(const TensorFunction& f, const TensorGradients& derivative,
                                    const std::vector<heed::Tensor>& inputs)>
        check_derivative;
};
extern const Judge<OwnGradcheck> judge_02_9;

}  // namespace exercise
