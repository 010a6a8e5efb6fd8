// Scores: how well a key matches a query, one number for each pair, before the softmax.
// attend() (nn/attention/attention.h) takes any of them, or your own.
#pragma once

#include "../../tensor/random.h"
#include "../linear.h"
#include "../module.h"

namespace heed { inline namespace HEED_PRECISION {

struct Score : Module {
    // Q [..., T_q, d_q], K [..., T_k, d_k] -> [..., T_q, T_k], the leading axes broadcast.
    // Errors of all scores below (ShapeError): rank below 2; a last axis that does not fit.
    virtual Variable operator()(const Variable& Q, const Variable& K,
                                CallSite site = CallSite::here()) const = 0;
    // The factor of the dot product, if the score is one; records of attention contain it.
    virtual double scale(const Variable&) const { return 1; }
    // Is attention with this score equation 1, which can also be computed in other ways
    // (nn/attention/attention_shortcut.h)?
    virtual bool is_scaled_dot_product() const { return false; }
    void members(MemberVisitor&) override {}
};

// q·k (Luong et al. 2015, "dot"). d_q = d_k.
struct DotScore final : Score {
    Variable operator()(const Variable& Q, const Variable& K,
                        CallSite site = CallSite::here()) const override;
};

// q·k / √d_k (Vaswani et al. 2017, equation 1). d_q = d_k, at least 1.
struct ScaledDotScore final : Score {
    Variable operator()(const Variable& Q, const Variable& K,
                        CallSite site = CallSite::here()) const override;
    double scale(const Variable& K) const override;
    bool is_scaled_dot_product() const override { return true; }
};

// v·tanh(W_q·q + W_k·k): a small network with one hidden layer (Bahdanau et al. 2015, appendix
// A.1.2, where q is the decoder's state and k an annotation).
struct AdditiveScore final : Score {
    // Error: a size below 1 (std::invalid_argument).
    AdditiveScore(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random,
                  CallSite site = CallSite::here());
    Variable operator()(const Variable& Q, const Variable& K,
                        CallSite site = CallSite::here()) const override;
    void members(MemberVisitor& visit) override {
        visit("W_q", W_q);
        visit("W_k", W_k);
        visit("v", v);
    }

    Linear W_q;  // d_q -> d_hidden, no bias
    Linear W_k;  // d_k -> d_hidden, no bias
    Linear v;    // d_hidden -> 1, no bias
};

// q·W·k (Luong et al. 2015, equation 8, "general"). W is drawn uniformly from [-1/√d_k, 1/√d_k].
struct BilinearScore final : Score {
    // Error: a size below 1 (std::invalid_argument).
    BilinearScore(std::int64_t d_q, std::int64_t d_k, Random& random,
                  CallSite site = CallSite::here());
    Variable operator()(const Variable& Q, const Variable& K,
                        CallSite site = CallSite::here()) const override;
    void members(MemberVisitor& visit) override { visit("W", W); }

    Parameter W;  // [d_q, d_k]
};

// -‖q - k‖² / (2·width²): with softmax, the regression of Nadaraya and Watson (1964) with a
// Gaussian kernel. d_q = d_k. It needs memory for T_q·T_k·d_k entries.
struct GaussianScore final : Score {
    // Error: width is not positive and finite, or its square rounds to 0 (std::invalid_argument).
    explicit GaussianScore(double width = 1, CallSite site = CallSite::here());
    Variable operator()(const Variable& Q, const Variable& K,
                        CallSite site = CallSite::here()) const override;
    std::string details() const override;

    double width;
};

}}  // namespace heed
