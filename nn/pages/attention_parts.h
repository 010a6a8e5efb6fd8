// What pages and pictures of recorded attention ask of a record.
#pragma once

#include "../attention/attention_record.h"

#include <utility>

namespace heed { inline namespace HEED_PRECISION {

// Errors (std::invalid_argument): there are none; weights that are not [..., T_q, T_k]; tokens,
// mask, or other parts that do not fit them.
void check_records(const char* operation, const std::vector<AttentionRecord>& records,
                   const CallSite& site);

// The matrices [m, n] of x [..., m, n], those of the last leading axis next to each other.
std::vector<Tensor> matrices_of(const Tensor& x);

// How many sequences, and heads of each, the matrices of the weights are: [B, h, T_q, T_k] has B
// and h. Of three axes the first is that of the heads, unless there are tokens for each sequence.
std::pair<std::int64_t, std::int64_t> sequences_and_heads(const AttentionRecord& record);

// The tokens of axis -2 (queries) or -1 (keys) for a matrix; positions if there are none.
Tokens tokens_of(const AttentionRecord& record, std::int64_t matrix, int axis);

// Whether query i of a matrix may attend to key j.
bool is_allowed(const AttentionRecord& record, std::int64_t matrix, std::int64_t i, std::int64_t j);

}}  // namespace heed
