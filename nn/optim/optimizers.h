// Optimizers: update rules for parameters given their gradients, with PyTorch's definitions and
// defaults.
//
//     Adam optimizer(parameters(network), {.lr = 1e-3});
//     optimizer.zero_grad();
//     loss.backward();
//     optimizer.step();
//
// Gradient accumulation: backward() adds, so the mean over a batch too large for memory is the sum
// over k equal parts of it, with one step at the end:
//
//     optimizer.zero_grad();
//     for (...) (loss_of(part) / k).backward();   // each part's graph is freed before the next
//     optimizer.step();
//
// If the parts count different numbers of targets, take the losses with Reduction::sum, and divide
// each by the number of targets in the whole batch.
#pragma once

#include "../parameter.h"
#include "../state_dict.h"
#include "parameter_groups.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Holds handles to parameters. A copy of the network has parameters of its own, which this
// optimizer does not update: step() is then an error, since it would train nothing.
class Optimizer {
  public:
    virtual ~Optimizer() = default;
    Optimizer(const Optimizer&) = delete;
    Optimizer& operator=(const Optimizer&) = delete;

    // Updates each parameter that has a gradient and is not frozen. Values are overwritten in
    // place, so a graph built before this step that needs them can no longer be differentiated.
    // Errors (std::runtime_error): none of the parameters has a gradient; at the first step, a
    // parameter of a layer has one that no optimizer has and no members() visits, as happens when a
    // layer forgets a list of layers (to leave parameters as they are, freeze them).
    void step(CallSite site = CallSite::here());
    void zero_grad();  // clears all gradients; backward() would add to them

    double lr() const { return lr_; }
    // Sets the learning rate, for schedules (nn/optim/schedules.h); groups keep their
    // lr_factor. Error: negative or not finite, or so large that its product with a group's
    // lr_factor, or with its weight_decay too, overflows a Scalar (std::invalid_argument).
    void set_lr(double lr, CallSite site = CallSite::here());
    const std::vector<NamedParameter>& parameters() const { return parameters_; }

    // What step() remembers of earlier steps, to resume training, under PyTorch's names:
    // "fc.weight.step", "fc.weight.exp_avg". An unnamed parameter is called by its number; one
    // whose name is taken, as in the lists of two networks joined, has its number added, "W#1".
    // Empty for a parameter that was never updated. The options and lr are not part of it.
    StateDict state() const;
    // Error: names or shapes that are not those of state() for these parameters, a step count that
    // is not a non-negative integer, another entry that is not finite, or, of mean squares,
    // negative; ten are listed, and nothing is changed (std::invalid_argument).
    void set_state(const StateDict& state, CallSite site = CallSite::here());
    // The same with lr, in two steps: checks everything, and returns what then sets both.
    std::function<void()> checked_state(const StateDict& state, double lr,
                                        CallSite site = CallSite::here());

  protected:
    // Errors (std::invalid_argument): no parameters, one that is not a leaf, one given twice, in
    // one group or in two; lr, or a group's weight_decay or lr_factor, negative or not finite.
    Optimizer(const char* name, const std::vector<ParameterGroup>& groups, double lr,
              double weight_decay, const CallSite& site);

    // Error (std::invalid_argument): `value` is negative or not finite.
    static void check_not_negative(const char* optimizer, const std::string& what, double value,
                                   const CallSite& site);

    // The settings of parameter i, which are those of its group.
    double lr_of(std::size_t i) const { return lr_ * settings_[i].lr_factor; }
    double weight_decay_of(std::size_t i) const { return settings_[i].weight_decay; }

    // Overwrites w, the value of parameter i, with its updated value.
    virtual void update(std::size_t i, Tensor& w, const Tensor& gradient) = 0;

    // A value that an optimizer remembers of a parameter: a tensor of the parameter's shape, or a
    // count of steps, which is one number.
    struct Remembered {
        std::string name;
        bool is_count = false;
        bool is_square = false;  // never negative
    };
    // What this optimizer remembers of a parameter; the values, in this order, empty before the
    // first update; and setting these. A rule without memory overrides none of the three.
    virtual std::vector<Remembered> remembered_kinds() const { return {}; }
    virtual std::vector<Tensor> remembered(std::size_t /*i*/) const { return {}; }
    virtual void remember(std::size_t /*i*/, const std::vector<Tensor>& /*values*/) {}

  private:
    std::vector<std::string> state_names() const;
    void check_lr(double lr, const CallSite& site) const;
    void check_product(const char* a, double value_of_a, const char* b, double value_of_b,
                       const CallSite& site) const;
    void check_any_gradient(const CallSite& site) const;
    void check_nothing_forgotten(const CallSite& site) const;

    struct Settings {
        double lr_factor, weight_decay;
    };

    const char* name_;
    std::vector<NamedParameter> parameters_;  // those of all groups
    std::vector<Settings> settings_;          // one for each
    double lr_ = 0;
    bool stepped_ = false;
};

struct SgdOptions {
    double lr = 1e-3;
    double momentum = 0;
    double dampening = 0;
    double weight_decay = 0;  // weight_decay·w is added to the gradient
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
                 CallSite site = CallSite::here())
        : SGD(std::vector<ParameterGroup>{{.parameters = parameters}}, options, site) {}
    explicit SGD(const std::vector<ParameterGroup>& groups, const SgdOptions& options = {},
                 CallSite site = CallSite::here());

  private:
    void update(std::size_t i, Tensor& w, const Tensor& gradient) override;
    std::vector<Remembered> remembered_kinds() const override;
    std::vector<Tensor> remembered(std::size_t i) const override;
    void remember(std::size_t i, const std::vector<Tensor>& values) override;

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

// The common part of Adam and AdamW (Kingma and Ba 2015, algorithm 1), at step t of a parameter:
//     m ← β₁·m + (1 - β₁)·g        m̂ = m/(1 - β₁ᵗ)
//     v ← β₂·v + (1 - β₂)·g²       v̂ = v/(1 - β₂ᵗ)
//     w ← w - lr·m̂/(√v̂ + eps)
// t is counted to 2²⁴ and stays there: up to it, a float holds every whole number, so a saved t is
// exact. By then βᵗ is 0 against 1 for every β below 0.999997.
class AdamBase : public Optimizer {
  protected:
    AdamBase(const char* name, const std::vector<ParameterGroup>& groups,
             const AdamOptions& options, const CallSite& site);

    // w ← w_kept·w first, and g ← g + w_in_g·w.
    void adam_step(std::size_t i, Tensor& w, const Tensor& g, double w_kept, double w_in_g);

  private:
    std::vector<Remembered> remembered_kinds() const override;
    std::vector<Tensor> remembered(std::size_t i) const override;
    void remember(std::size_t i, const std::vector<Tensor>& values) override;

    struct Moments {
        void count_step(const AdamOptions& options);

        Tensor m;
        Tensor v;
        std::int64_t t = 0;
        double beta1_to_t = 1;  // β₁ᵗ as a running product
        double beta2_to_t = 1;
    };

    AdamOptions options_;
    std::vector<std::optional<Moments>> moments_;
};

// Errors of both (std::invalid_argument): lr, eps or weight_decay negative or not finite, a beta
// outside [0, 1); those of Optimizer.

// Adam with coupled weight decay: weight_decay·w is added to the gradient first.
class Adam final : public AdamBase {
  public:
    explicit Adam(const std::vector<NamedParameter>& parameters, const AdamOptions& options = {},
                  CallSite site = CallSite::here())
        : Adam(std::vector<ParameterGroup>{{.parameters = parameters}}, options, site) {}
    explicit Adam(const std::vector<ParameterGroup>& groups, const AdamOptions& options = {},
                  CallSite site = CallSite::here());

  private:
    void update(std::size_t i, Tensor& w, const Tensor& gradient) override;
};

// AdamW (Loshchilov and Hutter 2019) with decoupled weight decay: w ← w - lr·weight_decay·w before
// the step, which does not affect the moments.
class AdamW final : public AdamBase {
  public:
    explicit AdamW(const std::vector<NamedParameter>& parameters, const AdamWOptions& options = {},
                   CallSite site = CallSite::here())
        : AdamW(std::vector<ParameterGroup>{{.parameters = parameters}}, options, site) {}
    explicit AdamW(const std::vector<ParameterGroup>& groups, const AdamWOptions& options = {},
                   CallSite site = CallSite::here());

  private:
    void update(std::size_t i, Tensor& w, const Tensor& gradient) override;
};

}}  // namespace heed
