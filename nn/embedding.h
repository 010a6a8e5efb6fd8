// Embedding: a table with one row (vector) per token, looked up by token id.
#pragma once

#include "../tensor/index_tensor.h"
#include "../tensor/random.h"
#include "module.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// The rows are initialized from the standard normal distribution, as in PyTorch. They are returned
// unscaled; the factor √d_model of Vaswani et al. 2017, section 3.4, is up to the caller.
struct Embedding : Module {
    // The row of `padding_idx` is initialized to zeros and gets no gradient. Errors: a size below 1
    // (std::invalid_argument), a padding_idx outside the table (std::out_of_range).
    Embedding(std::int64_t rows, std::int64_t d, Random& random,
              std::optional<std::int64_t> padding_idx = std::nullopt,
              CallSite site = CallSite::here());

    // ids [...] -> [..., d]. Error: an id outside 0 ... rows - 1 (std::out_of_range).
    Variable operator()(const IndexTensor& ids, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override;
    std::string details() const override;

    Parameter weight;  // [rows, d]
    std::optional<std::int64_t> padding_idx;

  private:
    Variable without_padding(const Variable& rows, const IndexTensor& ids) const;
};

}}  // namespace heed
