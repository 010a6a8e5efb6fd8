// The heads' axis: how it comes into being, how it goes, and how a mask meets it.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/mask.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// x [..., T, h·d] -> [..., h, T, d]. The features of head n are columns n·d to (n + 1)·d, so x is
// seen as [..., T, h, d] first, and then the two axes change places: a view all the way.
// Errors (ShapeError): rank below 2; the last axis cannot be cut into num_heads.
Variable split_heads(const Variable& x, std::int64_t num_heads, CallSite site = CallSite::here());

// The way back: x [..., h, T, d] -> [..., T, h·d], which copies. Error: rank below 3 (ShapeError).
Variable merge_heads(const Variable& x, CallSite site = CallSite::here());

// Does the mask have the two axes [T_q, T_k], or all those of the scores of query [..., T_q, d] and
// key [..., T_k, d'], [..., h, T_q, T_k]? Else it could mean the batch or the heads: an error
// (ShapeError).
void check_mask_rank(const char* layer, const std::optional<Mask>& mask, const Variable& query,
                     const Variable& key, const CallSite& site);

// The part of a mask that is one head's of num_heads, [..., 1, T_q, T_k]; one with a single head,
// or with the two axes alone, is everybody's. Error: it has another number of heads (ShapeError).
std::optional<Mask> mask_of_head(const std::optional<Mask>& mask, std::int64_t head,
                                 std::int64_t num_heads, CallSite site = CallSite::here());
// [..., 1, T_q, T_k] -> [..., T_q, T_k], for a layer that is a single head.
// Error: the mask has more heads (ShapeError).
std::optional<Mask> without_heads(const std::optional<Mask>& mask,
                                  CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
