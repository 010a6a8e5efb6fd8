// Numbers that PyTorch computed once, as the .inc files beside this hold them: name, shape,
// numbers.
#pragma once

#include "nn/heed.h"

#include <stdexcept>
#include <string>
#include <vector>

struct Frozen {
    std::string name;
    heed::Dims dims;
    std::vector<double> numbers;
};

inline heed::Tensor tensor_of(const Frozen& one) {
    const std::vector<heed::Scalar> numbers(one.numbers.begin(), one.numbers.end());
    return heed::tensor::from_vector(numbers, heed::Shape(one.dims));
}

inline heed::Tensor frozen_in(const std::vector<Frozen>& all, const std::string& name) {
    for (const Frozen& one : all) {
        if (one.name == name) return tensor_of(one);
    }
    throw std::runtime_error("there is no " + name);
}

// All tensors whose names begin with `prefix`, under the rest of their names.
inline heed::StateDict state_in(const std::vector<Frozen>& all, const std::string& prefix) {
    heed::StateDict found;
    for (const Frozen& one : all) {
        if (one.name.compare(0, prefix.size(), prefix) != 0) continue;
        found.add(one.name.substr(prefix.size()), tensor_of(one));
    }
    return found;
}
