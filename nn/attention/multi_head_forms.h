// Two other implementations of the layer in nn/attention/multi_head_attention.h, and conversions of
// parameters between the three. All three compute the same numbers.
#pragma once

#include "attention_head.h"
#include "multi_head_attention.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A list of heads, computed one after the other, as in notes 000 and 002: Concat(head_1, ...,
// head_h)·W^O. Options and errors are those of MultiHeadAttention, but heads cannot share keys;
// each head's dropout has its own generator.
struct ListOfHeadsAttention : AttentionLayer {
    ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                         const MultiHeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override {
        visit("heads", heads);
        visit("W_O", W_O);
        visit("positions", positions);
    }

    std::vector<AttentionHead> heads;
    Linear W_O;  // h·d_v -> d_model

  protected:
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, NeedWeights need_weights,
                        CallSite site) const override;

  private:
    ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                         const MultiHeadOptions& complete, Random& random, const CallSite& site);
};

// A matrix per head, and products by einsum with named axes, as in note 003.
struct EinsumAttention : AttentionLayer {
    EinsumAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                    const MultiHeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
        visit("W_O", W_O);
        if (b_O.is_set()) {
            visit("b_Q", b_Q);
            visit("b_K", b_K);
            visit("b_V", b_V);
            visit("b_O", b_O);
        }
        visit("dropout", dropout);
        visit("positions", positions);
    }

    Parameter W_Q, W_K, W_V;  // [h, d_model, d_head], [h, kdim, d_head], [h, vdim, d_v]
    Parameter W_O;            // [h, d_v, d_model]
    Parameter b_Q, b_K, b_V;  // [h, d_head], [h, d_head], [h, d_v]; not set without bias
    Parameter b_O;            // [d_model]
    Dropout dropout;
    std::optional<double> scale, soft_cap;  // as in MultiHeadAttention

    // As MultiHeadAttention's.
    void check_parts(const char* operation, const CallSite& site) const;

  protected:
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, NeedWeights need_weights,
                        CallSite site) const override;

  private:
    EinsumAttention(std::int64_t d_model, std::int64_t num_heads, const MultiHeadOptions& complete,
                    Random& random, const CallSite& site);
};

// The same layer in another form: same parameters, dropout probability and mode (training or not).
// The result owns a copy of the parameters; keys and values that heads shared are copied for each
// head. Errors: parts that do not fit together, as each layer's call refuses them.
ListOfHeadsAttention as_list_of_heads(const MultiHeadAttention& layer,
                                      CallSite site = CallSite::here());
EinsumAttention as_einsum(const MultiHeadAttention& layer, CallSite site = CallSite::here());
// Also an error: no heads, or heads of different sizes, which do not fit in one matrix
// (ShapeError).
MultiHeadAttention as_one_projection(const ListOfHeadsAttention& layer,
                                     CallSite site = CallSite::here());
MultiHeadAttention as_one_projection(const EinsumAttention& layer,
                                     CallSite site = CallSite::here());

}}  // namespace heed
