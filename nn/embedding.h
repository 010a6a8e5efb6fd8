// Embedding: a table with one row (vector) per token, looked up by token id; and
// TokenAndPositionEmbedding, the input layer of a transformer.
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
    void members(MemberVisitor& visit) override { visit("weight", weight); }
    std::string details() const override;

    Parameter weight;  // [rows, d]
    std::optional<std::int64_t> padding_idx;

  private:
    Variable without_padding(const Variable& rows, const IndexTensor& ids) const;
};

// A token embedding plus a position embedding. Without positions, a sentence would be a bag of
// words. x_t = E[id_t] + P[t], both tables learned, as in notes 000 and 002, which name the tables
// (002 adds a layer norm and dropout, separate layers here); Gehring et al. 2017, section 3.1. The
// token table is drawn first. A padding token gets a zero row plus the row of its position: hide it
// with a mask.
struct TokenAndPositionEmbedding : Module {
    // Errors: a size below 1 (std::invalid_argument); a padding_idx outside the vocabulary, as in
    // Embedding (std::out_of_range).
    TokenAndPositionEmbedding(std::int64_t vocab_size, std::int64_t token_limit, std::int64_t d,
                              Random& random,
                              std::optional<std::int64_t> padding_idx = std::nullopt,
                              CallSite site = CallSite::here());

    // ids [..., T] -> [..., T, d]; token t of each sequence has position t, counted from 0. Errors:
    // ids of rank 0, more tokens than the limit (ShapeError); an id outside 0 ... vocab_size - 1
    // (std::out_of_range).
    Variable operator()(const IndexTensor& ids, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("token_embeddings", token_embeddings);
        visit("position_embeddings", position_embeddings);
    }

    std::int64_t vocab_size() const { return token_embeddings.weight.dim(0); }
    std::int64_t token_limit() const { return position_embeddings.weight.dim(0); }

    Embedding token_embeddings;     // E [vocab_size, d]
    Embedding position_embeddings;  // P [token_limit, d]
};

}}  // namespace heed
