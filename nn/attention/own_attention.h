// OwnAttention: puts a user-supplied function in place of scaled dot-product attention everywhere
// in nn, so that you can try your own attention in the existing layers and models.
//
//     Attention mine(const Variable& Q, const Variable& K, const Variable& V,
//                    const std::optional<Mask>& mask);
//     OwnAttention own(mine);
//     MultiHeadAttention(6, 3, random)(X);  // its heads call mine
#pragma once

#include "attention.h"

#include <functional>
#include <memory>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// For its lifetime, in this thread, the function is called
//   - by scaled_dot_product_attention, unless its scores are changed (ScoreOptions),
//   - by attend with ScaledDotScore, temperature 1 and no active dropout (so by the layers),
//   - by dot_product_attention, with Q·√d_k, which cancels the function's 1/√d_k.
// If there are several, the innermost is called. Inside the function, which may end the object, nn
// uses its own attention.
//
// It gets what nn's attention gets: T_q and T_k, d_k and d_v may differ; there may be no axes
// before the last two, or some that are broadcast; the mask is broadcast to the scores, or has
// entries for each head. Its output and weights, and the gradients of its output, must equal nn's;
// a query that may attend to nothing has weights, output and gradient 0; scores may be large, on
// either side of 0. Only shapes are checked here; tutorials/exercises/passport checks the rest.
// Errors (ShapeError): it returns other shapes than output [..., T_q, d_v] and weights
// [..., T_q, T_k]; the mask does not broadcast to the scores, in which case it is not called.
// Exceptions it throws are passed on.
class OwnAttention {
  public:
    using Function = std::function<Attention(const Variable& Q, const Variable& K,
                                             const Variable& V, const std::optional<Mask>& mask)>;

    // Error: an empty function (std::invalid_argument).
    explicit OwnAttention(const Function& function, CallSite site = CallSite::here());
    ~OwnAttention();
    OwnAttention(const OwnAttention&) = delete;
    OwnAttention& operator=(const OwnAttention&) = delete;

    // The one in use now, or nullptr.
    static const OwnAttention* in_use();
    Attention operator()(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask, CallSite site = CallSite::here()) const;

  private:
    OwnAttention();  // without a function: for its lifetime, no enclosing one is in use

    std::shared_ptr<const Function> function_;
    OwnAttention* outer_;
};

}}  // namespace heed
