// Texts of different lengths in one batch of a Gpt: what its mask says, and positions that count
// from each text's first token.
#pragma once

#include "../../tensor/index_tensor.h"
#include "../../tensor/mask.h"
#include "../positions/positions.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// How many of the T tokens of each sequence are padding, from a mask [B, 1, 1, T] for ids [B, T];
// empty if none is. Errors: another shape of the mask or of ids (ShapeError); a sequence without a
// token, padding that is not before all its tokens (std::invalid_argument).
std::vector<std::int64_t> left_padding_of(const char* model, const IndexTensor& ids,
                                          const Mask& mask, const CallSite& site);

// x [B, T, d], whose first column is number `first`, with the positions that are added to vectors;
// sequence b begins after padding[b] columns. What a padding token gets is of no importance.
Variable placed_after_padding(const AnyPositions& positions, const Variable& x, std::int64_t first,
                              const std::vector<std::int64_t>& padding, const CallSite& site);

// T queries, the last of T_k columns, may attend to what is not padding and not after them.
Mask causal_after_padding(const std::vector<std::int64_t>& padding, std::int64_t T,
                          std::int64_t T_k, const CallSite& site);

}}  // namespace heed
