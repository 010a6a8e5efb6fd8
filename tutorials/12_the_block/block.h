// A transformer block by hand, with parts that can be left out; the sections of lesson 12 share it.
#pragma once

#include "nn/attention/multi_head_attention.h"
#include "nn/layer_norm.h"
#include "nn/transformer/feed_forward.h"
#include "nn/transformer/transformer_options.h"

// What a block has. Without a norm or a residual connection `norm` says nothing.
struct Parts {
    heed::NormPlace norm = heed::NormPlace::before;
    bool residual = true;
    bool layer_norm = true;
    bool feed_forward = true;
    bool root_of_d_k = true;
    std::int64_t num_heads = 4;
};

// Attention and feed-forward, as notes 002 (norm before) and 004 (norm after) have them.
struct Block : heed::Module {
    Block(std::int64_t d, const Parts& its_parts, heed::Random& random);

    // X [..., T, d] -> [..., T, d]
    heed::Variable operator()(const heed::Variable& X,
                              const std::optional<heed::Mask>& mask = std::nullopt) const;
    void members(heed::MemberVisitor& visit) override;

    Parts parts;
    heed::MultiHeadAttention attention;
    heed::FeedForward feed_forward;
    heed::LayerNorm norm1, norm2;
};

// Section 12.5: what is lost if a part is left out.
void ablation(heed::Random& random);
// Section 12.6: PyTorch's layer, loaded.
void in_pytorch(heed::Random& random);
