// Dropout (Srivastava et al. 2014): while training, each entry is 0 with probability p.
#pragma once

#include "heed/nn/module.h"
#include "heed/tensor/random.h"

namespace heed {
inline namespace HEED_PRECISION {

// What is kept is multiplied by 1/(1 - p), so that means stay and nothing need be changed when
// evaluating, where x passes as it is. Each call draws anew, from a generator that belongs to this
// layer: a copy of the layer goes on with the same draws. Not for two threads at once.
class Dropout : public Module {
  public:
    // Takes one number of `random` as its own generator's seed.
    // Error: p is not in [0, 1) (std::invalid_argument).
    Dropout(double p, Random& random, CallSite site = CallSite::here());

    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor&) override {}
    std::string details() const override;

    double p() const { return p_; }
    bool draws() const { return training() && p_ > 0; }  // else x passes as it is
    void set_p(double p, CallSite site = CallSite::here());  // the same error

  private:
    double p_;
    mutable Random random_;  // drawing changes no answer that a const layer gives about itself
};

}  // namespace HEED_PRECISION
}  // namespace heed
