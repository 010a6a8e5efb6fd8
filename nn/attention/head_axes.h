// The head axis: splitting into heads, merging them, and matching a mask to them.
#pragma once

#include "../../autograd/variable.h"
#include "../../tensor/mask.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// x [..., T, h·d] -> [..., h, T, d]. Head n has the features (columns) n·d to (n + 1)·d: x is
// viewed as [..., T, h, d] and the two axes are swapped, without a copy. Errors (ShapeError): rank
// below 2; the last axis is not divisible by num_heads.
Variable split_heads(const Variable& x, std::int64_t num_heads, CallSite site = CallSite::here());

// The inverse: x [..., h, T, d] -> [..., T, h·d]; copies. Error: rank below 3 (ShapeError).
Variable merge_heads(const Variable& x, CallSite site = CallSite::here());

// x [..., h, T, d] -> [..., h·times, T, d], where heads n·times to (n + 1)·times - 1 are head n of
// x: keys and values that several heads share (Ainslie et al. 2023, "GQA"). Errors: rank below 3
// (ShapeError), times below 1 (std::invalid_argument).
Variable repeat_heads(const Variable& x, std::int64_t times, CallSite site = CallSite::here());

// Checks that the mask has either the two axes [T_q, T_k] or all axes of the scores
// [..., h, T_q, T_k] of query [..., T_q, d] and key [..., T_k, d']. With any other rank its first
// axis could mean the batch or the heads, which is an error (ShapeError). So is one that
// Mask::allowing or blocking made from a table of two axes if B = T_q: it could be [B, T_k].
void check_mask_rank(const char* layer, const std::optional<Mask>& mask, const Variable& query,
                     const Variable& key, const CallSite& site);

// [..., 1, T_q, T_k] -> [..., T_q, T_k], for a single-head layer. Error: the mask has more heads
// (ShapeError).
std::optional<Mask> without_heads(const std::optional<Mask>& mask,
                                  CallSite site = CallSite::here());

}}  // namespace heed
