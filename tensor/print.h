// Printing, as people know it from PyTorch: aligned columns, four decimals, large tensors
// summarised, and the shape said.
#pragma once

#include "tensor/bool_tensor.h"
#include "tensor/index_tensor.h"
#include "tensor/mask.h"
#include "tensor/tensor.h"

#include <string>

namespace heed::inline HEED_PRECISION {

struct PrintOptions {
    int decimals = 4;
    std::int64_t summarise_above = 1000;  // entries; more are cut to the first and last of an axis
    std::int64_t edge = 3;                // how many of each are shown then
    bool shape = true;                    // say the shape after the numbers
};

std::string to_string(const Tensor& x, const PrintOptions& options = {});
std::string to_string(const IndexTensor& x, const PrintOptions& options = {});
std::string to_string(const BoolTensor& x, const PrintOptions& options = {});
std::string to_string(const Mask& mask);
// One number with a fixed count of decimals, the same text on every machine; nan, inf, -inf.
std::string fixed(double number, int decimals = 4);

}  // namespace heed::inline HEED_PRECISION
