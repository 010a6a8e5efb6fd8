// What a published model attends to: the weights of all 144 heads of GPT-2 (124M, Radford et al.
// 2019) on "As the spaceship was approaching the", recorded once and compiled in. They are taken
// from Transformer Explainer (Polo Club of Data Science, MIT), rounded to millionths;
// gpt2_attention.inc names the file and its licence.
#pragma once

#include "nn/attention/attention_record.h"
#include "tutorials/support/terminal.h"

namespace tutorial {

struct Gpt2Attention {
    // GPT-2's pieces, of which all but the first begin with a space, and the same without it.
    Words tokens, words;   // T = 6
    heed::Tensor weights;  // [12 layers, 12 heads, T, T]: a row for each query, 0 where masked

    // The head that is usually called "layer.head", both counted from 0: [T, T]. Error: that of
    // tensor::select.
    heed::Tensor head(std::int64_t layer, std::int64_t number) const;
    // The same as a record for each layer, of weights alone.
    std::vector<heed::AttentionRecord> records() const;
};

const Gpt2Attention& recorded_gpt2_attention();

}  // namespace tutorial
