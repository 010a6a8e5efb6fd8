// Optimizers: how parameters move, given their gradients. PyTorch's definitions and defaults.
//
//     Adam optimizer(parameters(network), {.lr = 1e-3});
//     optimizer.zero_grad();
//     loss.backward();
//     optimizer.step();
#pragma once

#include "heed/nn/parameter.h"

#include <optional>
#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// Holds handles to parameters. A network that is copied has others, of which it knows nothing.
class Optimizer {
  public:
    virtual ~Optimizer() = default;
    Optimizer(const Optimizer&) = delete;
    Optimizer& operator=(const Optimizer&) = delete;

    // Moves each parameter that has a gradient and is not frozen. The numbers are overwritten, so
    // a graph made before this step that needs them can no longer be differentiated.
    void step();
    void zero_grad();  // forgets all gradients; backward() would add to them

    double lr() const { return lr_; }
    // The learning rate, for schedules. Error: negative or not finite (std::invalid_argument).
    void set_lr(double lr, CallSite site = CallSite::here());
    const std::vector<NamedParameter>& parameters() const { return parameters_; }

  protected:
    // Errors (std::invalid_argument): no parameter, one that is no leaf, one given twice; lr.
    Optimizer(const char* name, const std::vector<NamedParameter>& parameters, double lr,
              const CallSite& site);

    // Writes new numbers into w, the value of parameter i.
    virtual void update(std::size_t i, Tensor& w, const Tensor& gradient) = 0;

  private:
    const char* name_;
    std::vector<NamedParameter> parameters_;
    double lr_ = 0;
};

struct SgdOptions {
    double lr = 1e-3;
    double momentum = 0;
    double dampening = 0;
    double weight_decay = 0;  // times w, added to the gradient
    bool nesterov = false;
};

// Stochastic gradient descent, with momentum as in Sutskever et al. 2013, in PyTorch's form:
//     g ← g + weight_decay·w
//     b ← momentum·b + (1 - dampening)·g         at a parameter's first step: b ← g
//     g ← b, or g + momentum·b with nesterov
//     w ← w - lr·g
class SGD final : public Optimizer {
  public:
    // Errors (std::invalid_argument): lr, momentum or weight_decay negative, a number that is not
    // finite, nesterov without momentum or with dampening; those of Optimizer.
    explicit SGD(const std::vector<NamedParameter>& parameters, const SgdOptions& options = {},
                 CallSite site = CallSite::here());

  private:
    void update(std::size_t i, Tensor& w, const Tensor& gradient) override;

    SgdOptions options_;
    std::vector<std::optional<Tensor>> velocity_;  // b
};

struct AdamOptions {
    double lr = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0;
};

struct AdamWOptions {
    double lr = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 1e-2;
};

// What Adam and AdamW share (Kingma and Ba 2015, algorithm 1), at step t of a parameter:
//     m ← β₁·m + (1 - β₁)·g        m̂ = m/(1 - β₁ᵗ)
//     v ← β₂·v + (1 - β₂)·g²       v̂ = v/(1 - β₂ᵗ)
//     w ← w - lr·m̂/(√v̂ + eps)
class AdamBase : public Optimizer {
  protected:
    AdamBase(const char* name, const std::vector<NamedParameter>& parameters,
             const AdamOptions& options, const CallSite& site);

    // w ← w_kept·w first, and g ← g + w_in_g·w.
    void adam_step(std::size_t i, Tensor& w, const Tensor& g, double w_kept, double w_in_g);
    const AdamOptions& options() const { return options_; }

  private:
    struct Moments {
        Tensor m;
        Tensor v;
        double beta1_to_t = 1;  // β₁ᵗ as a running product
        double beta2_to_t = 1;
    };

    AdamOptions options_;
    std::vector<std::optional<Moments>> moments_;
};

// Errors of both (std::invalid_argument): lr, eps or weight_decay negative or not finite, a beta
// that is not in [0, 1); those of Optimizer.

// Adam. Weight decay is coupled: weight_decay·w is added to the gradient before all else.
class Adam final : public AdamBase {
  public:
    explicit Adam(const std::vector<NamedParameter>& parameters, const AdamOptions& options = {},
                  CallSite site = CallSite::here());

  private:
    void update(std::size_t i, Tensor& w, const Tensor& gradient) override;
};

// AdamW (Loshchilov and Hutter 2019). Weight decay is decoupled: before the step
// w ← w - lr·weight_decay·w, of which the moments know nothing.
class AdamW final : public AdamBase {
  public:
    explicit AdamW(const std::vector<NamedParameter>& parameters, const AdamWOptions& options = {},
                   CallSite site = CallSite::here());

  private:
    void update(std::size_t i, Tensor& w, const Tensor& gradient) override;
};

}  // namespace HEED_PRECISION
}  // namespace heed
