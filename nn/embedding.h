// Embedding: a table with one row of numbers for each token, which is looked up by its id.
#pragma once

#include "heed/nn/module.h"
#include "heed/tensor/index_tensor.h"
#include "heed/tensor/random.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// The rows start normal with variance 1, as PyTorch's. They are returned as they are; the factor
// √d_model of Vaswani et al. 2017, section 3.4, is the caller's to put.
struct Embedding : Module {
    // The row of `padding_idx` starts as zeros and gets no gradient.
    // Errors: a size below 1 (std::invalid_argument), a padding_idx that is no row (out_of_range).
    Embedding(std::int64_t rows, std::int64_t d, Random& random,
              std::optional<std::int64_t> padding_idx = std::nullopt,
              CallSite site = CallSite::here());

    // ids [...] -> [..., d]. Errors: an id that is not in 0 ... rows - 1 (std::out_of_range).
    Variable operator()(const IndexTensor& ids, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override;
    std::string details() const override;

    Parameter weight;  // [rows, d]
    std::optional<std::int64_t> padding_idx;
};

}  // namespace HEED_PRECISION
}  // namespace heed
