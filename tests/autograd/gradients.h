// Computes gradients and compares them with hand-worked ones, for the tests of the operations.
#pragma once

#include "nn/heed.h"

#include <vector>

// ∂L/∂x for each input, where G = ∂L/∂y.
inline std::vector<heed::Tensor> gradients(const heed::Variable& y,
                                           const std::vector<heed::Variable>& inputs,
                                           const heed::Tensor& G) {
    const heed::GradOptions options{.retain_graph = true, .upstream = heed::Variable(G)};
    std::vector<heed::Tensor> found;
    for (const heed::Variable& gradient : heed::grad(y, inputs, options)) {
        found.push_back(gradient.value());
    }
    return found;
}

inline heed::Tensor gradient(const heed::Variable& y, const heed::Variable& x,
                             const heed::Tensor& G) {
    return gradients(y, {x}, G).front();
}

// The same shape, and values as close as the precision allows.
inline bool close(const heed::Tensor& received, const heed::Tensor& expected) {
    return received.shape() == expected.shape() &&
           heed::tensor::all_close(received, expected, 1e-5, 1e-6);
}

inline heed::Variable leaf(const heed::NestedList& numbers) {
    return heed::Variable(heed::tensor::of(numbers), heed::requires_grad);
}

inline heed::Variable leaf(const heed::Shape& shape, std::uint64_t seed) {
    heed::Random random(seed);
    return heed::Variable(heed::tensor::normal(shape, random), heed::requires_grad);
}

inline heed::Tensor random(const heed::Shape& shape, std::uint64_t seed) {
    heed::Random numbers(seed);
    return heed::tensor::normal(shape, numbers);
}
