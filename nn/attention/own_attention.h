// OwnAttention: somebody's own function in the place of scaled dot-product attention, everywhere in
// nn at once, so that what one has written can be tried in layers and models that are there.
//
//     Attention mine(const Variable& Q, const Variable& K, const Variable& V,
//                    const std::optional<Mask>& mask);
//     OwnAttention own(mine);
//     MultiHeadAttention(6, 3, random)(X);  // its heads attend by mine
#pragma once

#include "heed/nn/attention/attention.h"

#include <functional>
#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// While it lives, in this thread, the function is called
//   - by scaled_dot_product_attention,
//   - by attend with ScaledDotScore, temperature 1 and no dropout that draws (so by the layers),
//   - by dot_product_attention, with Q·√d_k, which takes the scale of the function away.
// Of several the innermost counts. What the function itself calls of nn is nn's.
// Error: it returns other shapes than output [..., T_q, d_v] and weights [..., T_q, T_k]
// (ShapeError); what it throws is passed on.
class OwnAttention {
  public:
    using Function = std::function<Attention(const Variable& Q, const Variable& K,
                                             const Variable& V, const std::optional<Mask>& mask)>;

    explicit OwnAttention(const Function& function);
    ~OwnAttention();
    OwnAttention(const OwnAttention&) = delete;
    OwnAttention& operator=(const OwnAttention&) = delete;

    // The one that counts now, or nullptr.
    static const OwnAttention* in_use();
    Attention operator()(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask, CallSite site = CallSite::here()) const;

  private:
    Function function_;
    const OwnAttention* outer_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
