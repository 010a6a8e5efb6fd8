// Recorded attention in a file, as safetensors: to draw it later, or elsewhere.
#pragma once

#include "../attention/attention_record.h"

namespace heed { inline namespace HEED_PRECISION {

// Writes all records, the file whole or not at all. The tensors of record i are i.Q, i.K, i.V,
// i.scores, i.weights and i.mask (1 where a query may attend); the rest of it is JSON in the
// metadata, under heed.attention. Errors (std::runtime_error): it cannot be written; a
// name or token that is not UTF-8.
void save_attention(const std::string& path, const std::vector<AttentionRecord>& records,
                    CallSite site = CallSite::here());
void save_attention(const std::string& path, const RecordAttention& recording,
                    CallSite site = CallSite::here());

// What save_attention() wrote. Errors (std::runtime_error): those of read_safetensors(); a file
// that has no recorded attention, lacks a tensor, or has one that does not fit the others.
std::vector<AttentionRecord> load_attention(const std::string& path,
                                            CallSite site = CallSite::here());

}}  // namespace heed
