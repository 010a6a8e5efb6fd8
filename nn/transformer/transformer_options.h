// The options that the layers of nn/transformer/ share, with PyTorch's names.
#pragma once

#include "feed_forward.h"

namespace heed { inline namespace HEED_PRECISION {

// Where a block normalizes. With x the residual stream and f attention or feed-forward:
enum class NormPlace {
    after,  // x ← norm(x + f(x)): post-LN (Vaswani et al. 2017, section 3.1; note 004)
    before  // x ← x + f(norm(x)): pre-LN (Xiong et al. 2020; GPT-2; note 002)
};

struct TransformerOptions {
    NormPlace norm = NormPlace::after;
    Activation activation = Activation::relu;
    double dropout = 0;  // probability: on attention's weights, in feed-forward, on what is added
    double layer_norm_eps = 1e-5;
    bool bias = true;  // in projections, feed-forward and norms
};

}}  // namespace heed
