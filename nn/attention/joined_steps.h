// joined_steps(): attention that was recorded step by step, as if the text had been read at once.
#pragma once

#include "attention_record.h"

namespace heed { inline namespace HEED_PRECISION {

// A model with a cache reads a text in several calls, each with its own queries and all keys so
// far. Calls of one layer that continue each other in this way become one record, with a row for
// each query; a key that was not there yet is masked. Other records stay as they are, in the order
// of their first calls, and numbers of calls are counted anew.
std::vector<AttentionRecord> joined_steps(const std::vector<AttentionRecord>& records);

}}  // namespace heed
