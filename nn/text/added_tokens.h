// The added tokens that a text contains.
#pragma once

#include "vocabulary.h"

#include <cstddef>
#include <functional>

namespace heed { inline namespace HEED_PRECISION {

// Cuts a text at the added tokens in it: at the first one, of several at one place the longest.
// Calls `text` with what stands between them, `token` with each id. White space that a token takes
// is in neither.
void cut_at_added_tokens(std::string_view whole, const Vocabulary& vocabulary, bool special_too,
                         const std::function<void(std::string_view, bool is_first)>& text,
                         const std::function<void(std::int64_t)>& token);

}}  // namespace heed
