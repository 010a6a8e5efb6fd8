// What a page shows of recorded attention: its heads one by one, whatever axes the record has, and
// the JSON that the page's script reads.
#pragma once

#include "../attention/attention_record.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Errors (std::invalid_argument, with the shapes): no records; weights that are not [..., T_q,
// T_k]; a mask, Q, K, V or scores that do not fit them, or tokens that do not (both numbers).
void check_records(const char* operation, const std::vector<AttentionRecord>& records,
                   const CallSite& site);

// The matrices of weights in a record: the product of the axes before the last two.
std::int64_t head_count(const AttentionRecord& record);
// Which of them `index` selects, with an entry for each axis before the last two. Error: it does
// not fit (std::invalid_argument).
std::int64_t head_at(const char* operation, const AttentionRecord& record, const Dims& index,
                     const CallSite& site);
// Matrix `head` of a part, which may have fewer leading axes than the weights, or shorter
// ones of length 1. Contiguous; empty if the part was not recorded.
Tensor head_of(const AttentionRecord& record, const Tensor& part, std::int64_t head);
// Whether a query may attend to a key, row by row; empty without a mask.
std::vector<bool> allowed_in(const AttentionRecord& record, std::int64_t head);
// The tokens of that matrix's rows (axis -2) or columns (axis -1); positions from 0 if there are
// none.
Tokens tokens_of(const AttentionRecord& record, int axis, std::int64_t head);
// The same with everything visible, as a page shows them.
Tokens shown_tokens(const AttentionRecord& record, int axis, std::int64_t head);

// How much of a recording is in a page: the later, the less.
enum class AttentionDetail { everything, no_values, weights_only, rounded_weights };

// How many characters the numbers take with each of these.
using NumberBytes = std::array<std::int64_t, 4>;
NumberBytes number_bytes(const std::vector<AttentionRecord>& records);
// Numbers are the bytes of float (or double) in base64, little-endian, a text for each head;
// rounded weights are whole numbers of 16 bits, in units of 1/65535. Only the weights of allowed
// keys are there, if the others are 0.
std::string attention_json(const std::vector<AttentionRecord>& records, AttentionDetail detail,
                           CallSite site = CallSite::here());

std::string base64(std::string_view bytes);

}}  // namespace heed
