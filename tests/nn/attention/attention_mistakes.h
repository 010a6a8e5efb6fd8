// Softmax, attention and multi-head attention with one common mistake each, which the laws
// (attention_laws.h) must notice.
#pragma once

#include "tests/nn/attention/attention_laws.h"

#include <string>
#include <vector>

namespace mistakes {

heed::Variable wrong_softmax(const std::string& mistake, const heed::Variable& scores);
heed::Attention wrong_attention(const std::string& mistake, const heed::Variable& Q,
                                const heed::Variable& K, const heed::Variable& V,
                                const std::optional<heed::Mask>& mask);
heed::Attention wrong_multi_head(const std::string& mistake, const heed::MultiHeadAttention& layer,
                                 const heed::Variable& X, const std::optional<heed::Mask>& mask);

// All mistakes the functions above can make. With "" they make none.
const std::vector<std::string>& of_softmax();
const std::vector<std::string>& of_attention();
const std::vector<std::string>& of_multi_head();

}  // namespace mistakes
