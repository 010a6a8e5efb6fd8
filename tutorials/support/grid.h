// A labelled grid of weights: rows are queries, columns keys.
#pragma once

#include "tensor/mask.h"
#include "tensor/tensor.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace tutorial {

// `word` cut or filled to `width` columns of UTF-8 text; control characters become visible (␀ …).
std::string cell(const std::string& word, std::size_t width, bool to_the_right = false);

// Two decimals for each weight that `mask` allows, a dot for the others, which carry none at all.
// Wide grids are printed in blocks of columns that fit 80 columns. Weights: [T_q, T_k].
// Error: the words are not as many as rows and columns, or the mask not as large
// (std::invalid_argument, with both numbers).
void print_grid(std::ostream& out, const std::vector<std::string>& queries,
                const std::vector<std::string>& keys, const heed::Mask& mask,
                const heed::Tensor& weights);

}  // namespace tutorial
