// Watching the loss of a training run: smoothing it for reading, and stopping early if it is not
// finite.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// A noisy number, such as the loss of each batch, smoothed:
// m ← β·m + (1 - β)·x, read as m/(1 - βᵗ) after t numbers: the bias correction of Adam (Kingma and
// Ba 2015, section 3), without which the first averages would be too close to 0. It averages about
// the last 1/(1 - β) numbers, in double.
class ExponentialAverage {
  public:
    // Error: beta is not in [0, 1) (std::invalid_argument).
    explicit ExponentialAverage(double beta = 0.98, CallSite site = CallSite::here());

    // Error: NaN or infinite, as all later averages would be, too (std::invalid_argument); the
    // average is unchanged.
    void add(double x, CallSite site = CallSite::here());
    // Error: nothing has been added yet (std::runtime_error).
    double value(CallSite site = CallSite::here()) const;

    // To resume, save it and set it. Error: not what state() gives (std::invalid_argument).
    struct State {
        double m = 0;
        double beta_to_t = 1;  // as a running product
    };
    const State& state() const { return state_; }
    void check_state(const State& state, CallSite site = CallSite::here()) const;
    void set_state(const State& state, CallSite site = CallSite::here());

  private:
    double beta_;
    State state_;
};

// A loss that is NaN or infinite never recovers, and spoils every parameter at the next step.
// check_finite_loss(loss.item(), step);   before backward(), while the parameters are still finite.
// Error: the loss is NaN or infinite (std::runtime_error, which names the step and what to try).
void check_finite_loss(double loss, std::int64_t step, CallSite site = CallSite::here());

}}  // namespace heed
