// MultiHeadAttention: several attention heads in parallel, each with its own projections, and an
// output projection that mixes their results (Vaswani et al. 2017, section 3.2.2):
//     MultiHead(Q, K, V) = Concat(head_1, ..., head_h)·W^O
// Here the projections of all heads are one matrix whose columns are split into heads. Lesson 09
// has two other implementations, a list of heads and products by einsum.
#pragma once

#include "../dropout.h"
#include "../linear.h"
#include "../state_dict.h"
#include "attention_layer.h"
#include "key_value_cache.h"

namespace heed { inline namespace HEED_PRECISION {

struct MultiHeadOptions {
    bool bias = true;                      // add a bias in the four projections?
    std::optional<bool> output_bias = {};  // in W_O alone, where it is not as in the others
    std::int64_t d_head = 0;  // size of a head's queries and keys; 0 means d_model / num_heads
    std::int64_t d_v = 0;     // size of a head's values; 0 means d_head
    std::int64_t kdim = 0;    // size of the key source; 0 means d_model
    std::int64_t vdim = 0;    // size of the value source; 0 means d_model
    double dropout = 0;       // probability, applied to the weights in training

    // Heads of keys and values, each shared by an equal number of query heads (Ainslie et al.
    // 2023); 1: all share one (Shazeer 2019). 0 means num_heads.
    std::int64_t num_kv_heads = 0;
    std::optional<double> scale = {};     // of q·k; 1/√d_head if not given
    std::optional<double> soft_cap = {};  // of the scores (ScoreOptions)
    AnyPositions positions = {};          // how the layer knows the order of the tokens; optional
};

struct MultiHeadAttention : AttentionLayer {
    // Initializes W_Q, W_K, W_V, W_O, in this order, as Linear does. Errors
    // (std::invalid_argument): a size below 1; d_head is not given and d_model is not a multiple of
    // num_heads; num_heads is not a multiple of num_kv_heads; a scale or soft cap that
    // scaled_dot_product_attention would refuse; dropout not in [0, 1); a product of num_heads
    // beyond 64 bits.
    MultiHeadAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                       const MultiHeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
        visit("W_O", W_O);
        visit("dropout", dropout);
        visit("positions", positions);
    }
    std::string details() const override;
    // Also accepts the state of PyTorch's nn.MultiheadAttention: in_proj_weight and in_proj_bias,
    // or q_proj_weight, k_proj_weight, v_proj_weight, and out_proj.weight, out_proj.bias.
    std::string adopt(StateDict& state, const std::string& prefix) const override;

    // Self-attention of X [..., T, d_model], tokens that follow those in `past`: their keys and
    // values are appended to it, and earlier ones are not recomputed. A mask, [T, T_k] or [..., h,
    // T, T_k], is for all T_k = past.length() + T keys: Mask::causal(T, T_k), if T is more than 1.
    // Errors: as above, also a mask that does not fit; keys and values of another layer or batch in
    // `past` (ShapeError). Nothing is appended then.
    Variable with_past(const Variable& X, KeyValueCache& past,
                       const std::optional<Mask>& mask = std::nullopt,
                       CallSite site = CallSite::here()) const;
    // Cross-attention whose source [..., T_k, d'] does not change, for example while a translation
    // is generated: its keys and values, computed once, and attention to them. X begins at position
    // `first` of its own text.
    KeyValueCache keys_and_values(const Variable& source, CallSite site = CallSite::here()) const;
    Variable attending_to(const KeyValueCache& source, const Variable& X,
                          const std::optional<Mask>& mask = std::nullopt, std::int64_t first = 0,
                          CallSite site = CallSite::here()) const;

    // Do num_heads and the weights, which are public, fit together? Each call asks first. Errors,
    // in the operation's name: std::invalid_argument, ShapeError.
    void check_parts(const char* operation, const CallSite& site) const;

    std::int64_t num_heads;
    // h_kv, the heads of keys and values, each shared by num_heads / h_kv heads of queries.
    std::int64_t num_kv_heads() const;
    Linear W_Q;  // d_model -> h·d_head; head n is columns n·d_head to (n + 1)·d_head
    Linear W_K;  // kdim -> h_kv·d_head
    Linear W_V;  // vdim -> h_kv·d_v
    Linear W_O;  // h·d_v -> d_model
    Dropout dropout;
    std::optional<double> scale;     // of q·k; 1/√d_head if not given
    std::optional<double> soft_cap;  // of the scores (ScoreOptions)

  protected:
    // query [..., T_q, d_model], key [..., T_k, kdim], value [..., T_k, vdim].
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, NeedWeights need_weights,
                        CallSite site) const override;

  private:
    Variable queries_of(const Variable& X, std::int64_t first) const;
    Variable keys_of(const Variable& X, std::int64_t first) const;
    Variable values_of(const Variable& X) const;
    // Q [..., h, T_q, d_head] attends to keys and values with h_kv heads; the queries begin at
    // position `first`.
    Attention heads_attend(const Variable& Q, const KeysAndValues& keys, std::int64_t first,
                           const std::optional<Mask>& mask, NeedWeights need_weights,
                           CallSite site) const;
    MultiHeadAttention(std::int64_t d_model, std::int64_t num_heads,
                       const MultiHeadOptions& complete, Random& random, const CallSite& site);
};

// The parameters under the names of PyTorch's nn.MultiheadAttention, which has a single d_head for
// queries, keys and values. Error (std::invalid_argument): d_v is not d_head, or d_head·num_heads
// is not d_model.
StateDict pytorch_state(const MultiHeadAttention& layer, CallSite site = CallSite::here());

}}  // namespace heed
