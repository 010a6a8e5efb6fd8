// GptConfig: the sizes and the kind of a decoder-only language model (nn/models/gpt.h).
#pragma once

#include "../any_norm.h"
#include "../positions/rotary_positions.h"
#include "../transformer/feed_forward.h"

#include <cstdint>
#include <iosfwd>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// All of them are in nn/positions/.
enum class PositionKind {
    none,        // a causal mask alone reveals some of the order
    learned,     // a table, added to the token vectors: GPT-2
    sinusoidal,  // sines and cosines, added to the token vectors: Vaswani et al. 2017
    rotary,      // queries and keys rotated in each block: Llama
    relative,    // a learned number for each distance and head, in each block
    alibi        // a bias that decreases with the distance, in each block
};

// Error: none of these (std::invalid_argument).
const char* name_of(PositionKind kind, CallSite site = CallSite::here());

// By default it is a small GPT-2. GPT-2 itself, with 124 million parameters, is {.vocab_size =
// 50257, .limit = 1024, .d_model = 768, .num_layers = 12, .num_heads = 12, .dropout = 0.1}. Llama's
// blocks are {.positions = PositionKind::rotary, .norm = NormKind::rms, .activation =
// Activation::silu, .gated = true, .bias = false, .tied_head = false}.
struct GptConfig {
    std::int64_t vocab_size = 256;  // tokens have the ids 0 to vocab_size - 1
    std::int64_t limit = 128;       // the maximum number of tokens, whatever the positions
    std::int64_t d_model = 64;
    std::int64_t num_layers = 2;
    std::int64_t num_heads = 4;
    std::int64_t num_kv_heads = 0;  // heads of keys and values; 0 means num_heads
    std::int64_t d_head = 0;        // of a head's queries, keys and values; 0: d_model / num_heads
    std::int64_t d_hidden = 0;      // of feed-forward; 0 means 4·d_model
    PositionKind positions = PositionKind::learned;
    RotaryOptions rotary = {};  // for rotary positions alone; their limit is the one above
    NormKind norm = NormKind::layer;
    double norm_eps = 1e-5;
    Activation activation = Activation::gelu_tanh;
    bool gated = false;  // a gate in feed-forward: with silu, SwiGLU
    bool bias = true;    // in projections, feed-forward and norms, but for those given here:
    std::optional<bool> qkv_bias = {};     // in W_Q, W_K, W_V: Qwen2 has these alone
    std::optional<bool> output_bias = {};  // in W_O
    std::optional<bool> feed_forward_bias = {};
    double dropout = 0;     // probability: on the embedding, attention weights, sub-layers
    bool tied_head = true;  // the head's weight is the token table (tie() in nn/parameter.h)
    std::optional<double> soft_cap = {};  // of attention's scores (autograd/ops/attention.h)
    bool recompute = false;  // blocks in the backward pass, for less memory (nn/recomputed.h)
};

// The same config with every 0 that means a default replaced by the default, except d_head. Errors
// (std::invalid_argument): a size below 1; num_heads does not divide d_model and d_head is not
// given, or num_kv_heads does not divide num_heads; rotary positions with a limit of their own;
// rotary options for other positions; an enum's value that is none; dropout, eps, soft cap or
// rotary positions that the layers would refuse.
GptConfig complete(const GptConfig& config, CallSite site = CallSite::here());

// The features of a head's queries, keys and values.
std::int64_t d_head(const GptConfig& complete);
// One field per line, as in source code: ".d_model = 64,".
std::ostream& operator<<(std::ostream& out, const GptConfig& config);

}}  // namespace heed
