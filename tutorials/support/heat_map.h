// Attention weights as a table in the terminal: a row for each query, a column for each key, the
// number always, and behind it a colour from white for 0 to dark blue for 1 where colours are used.
#pragma once

#include "heed/nn/attention/attention_record.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/tensor.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tutorial {

//     rows: queries, columns: keys; · is masked
//     query \ key  king queen
//     king         1.00     ·
//     queen        0.30  0.70
//
// Two decimals for each weight, a dot for what `mask` blocks, whatever its weight. The colours do
// not depend on the other weights. At most 80 columns wide: long words are cut with …, and what
// does not fit is printed in blocks, each with the queries and with which keys it shows; an empty
// line ends each. Weights: [T_q, T_k], which the mask must broadcast to.
// Errors (std::invalid_argument): the weights are no matrix, the words are not as many as its rows
// and columns (with both numbers), the mask does not fit.
void print_heat_map(std::ostream& out, const std::vector<std::string>& queries,
                    const std::vector<std::string>& keys, const heed::Tensor& weights,
                    const std::optional<heed::Mask>& mask = std::nullopt);

// One matrix of a record, below the record's name: `index` has an entry for each axis of the
// weights before the last two, {} if there are none, {b, h} for [B, heads, T_q, T_k]. Where the
// record has no tokens, positions from 0 are printed.
// Errors (std::invalid_argument): as above; an index that does not fit; lists of tokens that are
// neither one for all nor one for each entry of the first axis.
void print_heat_map(std::ostream& out, const heed::AttentionRecord& record,
                    const heed::Dims& index = {});

}  // namespace tutorial
