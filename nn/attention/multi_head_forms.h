// Multi-head attention built in two other ways than nn/attention/multi_head_attention.h, and the
// way from the parameters of each to the others'. The three compute the same numbers.
#pragma once

#include "heed/nn/attention/attention_head.h"
#include "heed/nn/attention/multi_head_attention.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// A list of heads, one after the other, as in notes 000 and 002: Concat(head_1, ..., head_h)·W^O.
// Options and errors are those of MultiHeadAttention; the dropout of each head draws for itself.
struct ListOfHeadsAttention : AttentionLayer {
    ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                         const MultiHeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override;

    std::vector<AttentionHead> heads;
    Linear W_O;  // h·d_v -> d_model

  protected:
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, bool need_weights,
                        CallSite site) const override;

  private:
    ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                         const MultiHeadOptions& complete, Random& random, const CallSite& site);
};

// A matrix for each head and products with named axes, as in note 003.
struct EinsumAttention : AttentionLayer {
    EinsumAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                    const MultiHeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override;

    Parameter W_Q, W_K, W_V;  // [h, d_model, d_head], [h, kdim, d_head], [h, vdim, d_v]
    Parameter W_O;            // [h, d_v, d_model]
    Parameter b_Q, b_K, b_V;  // [h, d_head], [h, d_head], [h, d_v]; not set where there is none
    Parameter b_O;            // [d_model]
    Dropout dropout;

  protected:
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, bool need_weights,
                        CallSite site) const override;

  private:
    EinsumAttention(std::int64_t d_model, std::int64_t num_heads, const MultiHeadOptions& complete,
                    Random& random, const CallSite& site);
};

// The same layer in another form: the same numbers, probability of dropout, and mode (training or
// not). Each owns its numbers.
ListOfHeadsAttention as_list_of_heads(const MultiHeadAttention& layer);
EinsumAttention as_einsum(const MultiHeadAttention& layer);
// Errors: no heads, or heads of different sizes, which one matrix cannot hold (ShapeError).
MultiHeadAttention as_one_projection(const ListOfHeadsAttention& layer,
                                     CallSite site = CallSite::here());
MultiHeadAttention as_one_projection(const EinsumAttention& layer);

}  // namespace HEED_PRECISION
}  // namespace heed
