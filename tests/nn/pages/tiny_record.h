// The smallest record with all that a picture of it has to show: a mask, and a token that is
// markup.
#pragma once

#include "nn/attention/attention_record.h"
#include "tensor/factories.h"

inline heed::AttentionRecord tiny() {
    return {.name = "tiny",
            .query_tokens = {{"a", "<b"}},
            .key_tokens = {{"a", "<b"}},
            .mask = heed::Mask::causal(2),
            .weights = heed::tensor::of({{1, 0}, {0.25, 0.75}})};
}
