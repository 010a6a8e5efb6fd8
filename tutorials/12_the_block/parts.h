// A transformer block by hand, with parts that can be left out, and the sections of lesson 12 that
// are in the other files.
#pragma once

#include "nn/attention/multi_head_attention.h"
#include "nn/norms.h"
#include "nn/transformer/feed_forward.h"
#include "nn/transformer/transformer_layers.h"
#include "tutorials/support/several.h"

#include <array>

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

// Of the runs whose median is shown.
using Seeds = std::array<std::uint64_t, 3>;

void feed_forward(heed::Random& random);          // 12.1
void layer_norm(heed::Random& random);            // 12.2
void dropout(heed::Random& random);               // 12.3
void before_training(heed::Random& random);       // 12.5
tutorial::Several four_ways(const Seeds& seeds);  // 12.6: the accuracy with both
// 12.7, with the accuracy that pre-LN had at a learning rate of 0.001
void before_and_after(const tutorial::Several& before_at_1e3, const Seeds& seeds);
void one_part_less(const Seeds& seeds);  // 12.8
void in_pytorch(heed::Random& random);   // 12.9
