// Printing in the style of PyTorch: aligned columns, four decimals, large tensors summarised, and
// the shape.
//
//   [[ 0.1000,  2.0000],        [1., 2., 3.]  [3]        3.5000  []        [true, false]  [2]
//    [-3.0000, 10.5000]]  [2, 2]
//
// As in PyTorch, a tensor of integers shows no decimals ("1."). All entries are written like
// 1.0000e-05 if the largest magnitude is above 1e8 or below 1e-4. In any other tensor only an entry
// below 1e-4 that would read 0.0000 and is not 0 has an exponent, 5e-06; in PyTorch all entries get
// one then. A zero has no sign, and a tensor without entries is [] whatever its rank. The text does
// not depend on the locale.
#pragma once

#include "bool_tensor.h"
#include "index_tensor.h"
#include "mask.h"
#include "tensor.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// Errors: decimals outside 0 to 100, edge below 1, summarise_above or line_width below 0
// (std::invalid_argument).
struct PrintOptions {
    int decimals = 4;
    std::int64_t summarise_above = 1000;  // entries; larger tensors show only the edges
    std::int64_t edge = 3;                // how many entries an edge has
    std::int64_t line_width = 80;         // longer rows wrap
    bool shape = true;                    // append the shape
};

std::string to_string(const Tensor& x, const PrintOptions& options = {},
                      CallSite site = CallSite::here());
std::string to_string(const IndexTensor& x, const PrintOptions& options = {},
                      CallSite site = CallSite::here());
std::string to_string(const BoolTensor& x, const PrintOptions& options = {},
                      CallSite site = CallSite::here());
// A grid: a row for each query, a column for each key, "x" where it may attend, "·" where not.
// Leading axes give one grid for each index, below a line such as [0, 1, :, :].
std::string to_string(const Mask& mask, const PrintOptions& options = {},
                      CallSite site = CallSite::here());
// A number with a fixed number of decimals, the same text on every machine; nan, inf, -inf.
// A number that rounds to zero has no sign. Error: decimals outside 0 to 100
// (std::invalid_argument).
std::string fixed(double number, int decimals = 4, CallSite site = CallSite::here());

}}  // namespace heed
