// A GPT built from the parts of nn as a user would write it: learned positions, pre-LN blocks,
// GELU, and an output layer that shares the embedding's weights.
#pragma once

#include "heed/nn/attention/multi_head_attention.h"
#include "heed/nn/embedding.h"
#include "heed/nn/layer_norm.h"
#include "heed/nn/linear.h"
#include "heed/tensor/mask.h"

#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

struct GptSizes {
    std::int64_t vocabulary, T, B, layers, heads, d_model;
};

// "S" and "M": two character models; "L": GPT-2 with 124 million parameters; "tiny": for tests.
// Error: another name (std::invalid_argument).
GptSizes gpt_sizes(const std::string& name);

// x + attention(norm(x)), then x + MLP(norm(x)).
struct Block : Module {
    Block(const GptSizes& sizes, Random& random);
    Variable operator()(const Variable& x, const Mask& mask) const;  // [B, T, d_model], the same
    void members(MemberVisitor& visit) override;

    LayerNorm norm_1;
    MultiHeadAttention attention;
    LayerNorm norm_2;
    Linear up;    // d_model -> 4·d_model
    Linear down;  // 4·d_model -> d_model
};

struct Gpt : Module {
    Gpt(const GptSizes& sizes, Random& random);
    // ids [B, T] -> the scores of the next token, [B, T, vocabulary].
    Variable operator()(const IndexTensor& ids) const;
    void members(MemberVisitor& visit) override;

    Embedding tokens;
    Embedding positions;
    std::vector<Block> blocks;
    LayerNorm norm;
    Mask mask;
};

// Fills all parameters with the same numbers as the PyTorch twin.
void fill_with_noise(Gpt& model);

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed
