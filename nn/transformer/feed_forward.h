// FeedForward: the part of a transformer block that works on each position separately: a wide
// hidden layer, and back.
#pragma once

#include "../dropout.h"
#include "../linear.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

enum class Activation {
    relu,       // Vaswani et al. 2017; note 004
    gelu,       // exact, with erf: BERT; note 002
    gelu_tanh,  // its tanh approximation: GPT-2
    silu        // x·sigmoid(x); gated, it makes SwiGLU: Llama
};

// Error of both: none of these (std::invalid_argument).
Variable activate(Activation activation, const Variable& x, CallSite site = CallSite::here());
const char* name_of(Activation activation, CallSite site = CallSite::here());

struct FeedForwardOptions {
    Activation activation = Activation::gelu;
    bool gated = false;  // activation(x·W_gate) ⊙ (x·W_1) is the hidden layer (Shazeer 2020, GLU)
    bool bias = true;
    double dropout = 0;  // probability, applied to the hidden layer
};

// FFN(x) = activation(x·W_1 + b_1)·W_2 + b_2 (Vaswani et al. 2017, equation 2, with ReLU).
struct FeedForward : Module {
    // d_hidden is 4·d_model in 004 and most models. Initializes W_1, W_2 and W_gate, in this order,
    // as Linear does. Errors (std::invalid_argument): a size below 1; dropout not in [0, 1).
    FeedForward(std::int64_t d_model, std::int64_t d_hidden, Random& random,
                const FeedForwardOptions& options = {}, CallSite site = CallSite::here());

    // x [..., d_model] -> [..., d_model]. Error: a different last axis (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("W_1", W_1);
        visit("W_2", W_2);
        visit("W_gate", W_gate);
        visit("dropout", dropout);
    }
    std::string details() const override;

    Activation activation;
    Linear W_1;                    // d_model -> d_hidden
    Linear W_2;                    // d_hidden -> d_model
    std::optional<Linear> W_gate;  // d_model -> d_hidden, if gated
    Dropout dropout;
};

}}  // namespace heed
