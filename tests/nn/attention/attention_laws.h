// The laws of softmax, attention and multi-head attention, checked for any implementation: for
// ours, and for wrong ones, each of which must break a law.
#pragma once

#include "nn/heed.h"

#include <functional>
#include <string>
#include <vector>

namespace laws {

// Along the last axis.
using Softmax = std::function<heed::Variable(const heed::Variable& scores)>;
// Scaled dot-product attention.
using Attend =
    std::function<heed::Attention(const heed::Variable& Q, const heed::Variable& K,
                                  const heed::Variable& V, const std::optional<heed::Mask>& mask)>;
// Self-attention with the parameters of `layer`.
using MultiHead =
    std::function<heed::Attention(const heed::MultiHeadAttention& layer, const heed::Variable& X,
                                  const std::optional<heed::Mask>& mask)>;

// The laws an implementation breaks, as text; none if it is right. An exception breaks the law
// being checked.
std::vector<std::string> broken_by(const Softmax& softmax);
std::vector<std::string> broken_by(const Attend& attend);
std::vector<std::string> broken_by(const MultiHead& multi_head);

}  // namespace laws
