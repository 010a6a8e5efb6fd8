// Dropout (Srivastava et al. 2014): in training, each entry is set to 0 with probability p.
#pragma once

#include "../tensor/random.h"
#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

// The kept entries are multiplied by 1/(1 - p), which preserves the mean, so evaluation returns x
// unchanged. Each call draws from a generator owned by the layer; a copy of the layer continues
// with the same draws, and two such layers in one network are refused (reseed() in nn/module.h).
// Not thread-safe.
class Dropout : public Module {
  public:
    // Draws one number from `random` to seed its own generator. Error: p is not in [0, 1)
    // (std::invalid_argument).
    Dropout(double p, Random& random, CallSite site = CallSite::here());

    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
    std::string details() const override;

    double p() const { return p_; }
    bool draws() const override { return training() && p_ > 0; }  // if not, x is returned unchanged
    Random* generator() override { return &random_; }
    void set_p(double p, CallSite site = CallSite::here());  // the same error

  private:
    double p_;
    mutable Random random_;  // mutable: drawing does not change the layer's observable state
};

// For layers that have one inside, to refuse a probability before they draw their weights.
// Error: p is not in [0, 1) (std::invalid_argument).
void check_dropout(double p, const CallSite& site);

}}  // namespace heed
