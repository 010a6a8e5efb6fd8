// Each optimizer against its recurrence, written here for one number in double, and against common
// mistakes in it.
#include "nn/heed.h"

#include "tests/catch.h"

#include <cmath>

using namespace heed;

namespace {
const std::vector<double> gradients = {0.3, -0.02, 0.5, 0.11};  // one for each step
const std::vector<double> tiny_gradients = {1e-3, 4e-3, -2e-3, 1e-3};

// The values of the optimizer's first parameter, step by step.
std::vector<double> path(Optimizer& optimizer, const std::vector<double>& g) {
    Variable w = optimizer.parameters()[0].parameter;
    std::vector<double> positions;
    for (double gradient : g) {
        w.set_grad(tensor::of({gradient, 7}));
        optimizer.step();
        positions.push_back(static_cast<double>(w(0)));
    }
    return positions;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
    return largest;
}

Variable start() { return Variable(tensor::of({0.5, -3}), requires_grad); }

enum class SgdSlip {
    none,
    ascent,
    lr_twice,
    no_momentum,
    undamped,
    damped_first,
    decay_decoupled,
    nesterov_off,
    lr_in_velocity
};

std::vector<double> sgd_reference(const SgdOptions& o, SgdSlip slip = SgdSlip::none) {
    double w = 0.5;
    double b = 0;
    double lr = slip == SgdSlip::lr_twice ? o.lr * o.lr : o.lr;
    std::vector<double> positions;
    for (std::size_t t = 0; t < gradients.size(); ++t) {
        double g = gradients[t];
        if (slip == SgdSlip::decay_decoupled)
            w -= lr * o.weight_decay * w;
        else
            g += o.weight_decay * w;
        const double damped = slip == SgdSlip::undamped ? 1 : 1 - o.dampening;
        const bool first = t == 0 && slip != SgdSlip::damped_first;
        b = first ? g : o.momentum * b + damped * g;
        const bool nesterov = o.nesterov && slip != SgdSlip::nesterov_off;
        double step = nesterov ? g + o.momentum * b : b;
        if (o.momentum == 0 || slip == SgdSlip::no_momentum) step = g;
        w += slip == SgdSlip::ascent ? lr * step : -lr * step;
        positions.push_back(w);
    }
    return positions;
}

enum class AdamSlip {
    none,
    no_bias_correction,
    first_corrected_only,
    betas_swapped,
    no_root,
    eps_inside,
    eps_before_correction,
    other_decay,
    no_decay,
    amplitude_of_m
};

// In PyTorch's order: lr/(1 - β₁ᵗ)·m / (√v/√(1 - β₂ᵗ) + eps).
std::vector<double> adam_reference(AdamOptions o, const std::vector<double>& g, bool decoupled,
                                   AdamSlip slip = AdamSlip::none) {
    if (slip == AdamSlip::betas_swapped) std::swap(o.beta1, o.beta2);
    if (slip == AdamSlip::other_decay) decoupled = !decoupled;
    if (slip == AdamSlip::no_decay) o.weight_decay = 0;
    double w = 0.5, m = 0, v = 0;
    std::vector<double> positions;
    for (std::size_t i = 0; i < g.size(); ++i) {
        const double t = slip == AdamSlip::first_corrected_only ? 1 : static_cast<double>(i + 1);
        double gradient = g[i];
        if (decoupled)
            w *= 1 - o.lr * o.weight_decay;
        else
            gradient += o.weight_decay * w;
        m += (1 - o.beta1) * (gradient - m);
        v += (1 - o.beta2) * (gradient * gradient - v);
        double c1 = 1 - std::pow(o.beta1, t), c2 = 1 - std::pow(o.beta2, t);
        if (slip == AdamSlip::no_bias_correction) c1 = c2 = 1;
        double divisor = std::sqrt(v) / std::sqrt(c2) + o.eps;
        if (slip == AdamSlip::no_root) divisor = v / c2 + o.eps;
        if (slip == AdamSlip::eps_inside) divisor = std::sqrt(v / c2 + o.eps);
        if (slip == AdamSlip::eps_before_correction)
            divisor = (std::sqrt(v) + o.eps) / std::sqrt(c2);
        w -= o.lr / c1 * (slip == AdamSlip::amplitude_of_m ? std::fabs(m) : m) / divisor;
        positions.push_back(w);
    }
    return positions;
}

}  // namespace

TEST_CASE("SGD is PyTorch's recurrence, and none of its misreadings", "[nn][optimizers]") {
    const SgdOptions cases[] = {
        {.lr = 0.1},
        {.lr = 0.1, .momentum = 0.9},
        {.lr = 0.1, .momentum = 0.9, .dampening = 0.4, .weight_decay = 0.3},
        {.lr = 0.1, .momentum = 0.8, .weight_decay = 0.3, .nesterov = true},
    };
    for (const SgdOptions& options : cases) {
        SGD optimizer({start()}, options);
        const std::vector<double> received = path(optimizer, gradients);
        CHECK(largest_difference(received, sgd_reference(options)) < 1e-6);
        for (SgdSlip slip : {SgdSlip::ascent, SgdSlip::lr_twice}) {
            CHECK(largest_difference(received, sgd_reference(options, slip)) > 1e-3);
        }
    }
    const auto told_apart = [&](const SgdOptions& options, SgdSlip slip) {
        SGD optimizer({start()}, options);
        return largest_difference(path(optimizer, gradients), sgd_reference(options, slip)) > 1e-3;
    };
    CHECK(told_apart(cases[1], SgdSlip::no_momentum));
    CHECK(told_apart(cases[2], SgdSlip::undamped));
    CHECK(told_apart(cases[2], SgdSlip::damped_first));
    CHECK(told_apart(cases[2], SgdSlip::decay_decoupled));
    CHECK(told_apart(cases[3], SgdSlip::nesterov_off));
}

TEST_CASE("SGD by hand", "[nn][optimizers]") {
    Variable w(tensor::of({1, 2}), requires_grad);
    SGD optimizer({w}, {.lr = 0.5, .momentum = 0.5});
    w.set_grad(tensor::of({1, -2}));
    optimizer.step();
    CHECK(tensor::same_bits(w.value(), tensor::of({0.5, 3})));
    w.set_grad(tensor::of({1, 0}));
    optimizer.step();  // velocity 1.5 and -1
    CHECK(tensor::same_bits(w.value(), tensor::of({-0.25, 3.5})));
}

TEST_CASE("Adam and AdamW are PyTorch's recurrences, and none of their misreadings",
          "[nn][optimizers]") {
    // An eps that is large compared with the gradient shows where it is added.
    const AdamOptions options = {
        .lr = 0.1, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-2, .weight_decay = 0.02};
    const AdamWOptions same = {
        .lr = 0.1, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-2, .weight_decay = 0.02};
    for (bool decoupled : {false, true}) {
        for (const std::vector<double>& g : {gradients, tiny_gradients}) {
            Adam adam({start()}, options);
            AdamW adamw({start()}, same);
            const std::vector<double> received = decoupled ? path(adamw, g) : path(adam, g);
            CHECK(largest_difference(received, adam_reference(options, g, decoupled)) < 1e-6);
            for (AdamSlip slip :
                 {AdamSlip::no_bias_correction, AdamSlip::first_corrected_only,
                  AdamSlip::betas_swapped, AdamSlip::no_root, AdamSlip::eps_inside,
                  AdamSlip::eps_before_correction, AdamSlip::other_decay, AdamSlip::no_decay}) {
                INFO("decoupled " << decoupled << ", slip " << static_cast<int>(slip));
                const std::vector<double> wrong = adam_reference(options, g, decoupled, slip);
                CHECK(largest_difference(received, wrong) > 2e-4);
            }
        }
    }
}

TEST_CASE("the defaults are PyTorch's", "[nn][optimizers]") {
    const AdamOptions plain;
    const AdamOptions decayed = {.weight_decay = 0.01};
    Adam adam({start()});
    AdamW adamw({start()});
    SGD sgd({start()});
    CHECK(largest_difference(path(adam, gradients), adam_reference(plain, gradients, false)) <
          1e-7);
    CHECK(largest_difference(path(adamw, gradients), adam_reference(decayed, gradients, true)) <
          1e-7);
    CHECK(largest_difference(path(sgd, gradients), sgd_reference({.lr = 1e-3})) < 1e-7);
}

TEST_CASE("the first step of Adam is the learning rate against the gradient's sign",
          "[nn][optimizers]") {
    Variable w(tensor::of({0, 0, 0}), requires_grad);
    Adam optimizer({w}, {.lr = 0.25, .eps = 0});
    w.set_grad(tensor::of({1e-3, -40, 2}));
    optimizer.step();
    CHECK(tensor::all_close(w.value(), tensor::of({-0.25, 0.25, -0.25}), 1e-5, 0));
}

TEST_CASE("a parameter that is frozen or has no gradient does not move or count the step",
          "[nn][optimizers]") {
    Variable a = start();
    Variable b = start();
    Variable frozen = start();
    Adam optimizer({a, b, frozen}, {.lr = 0.1, .weight_decay = 0.5});
    frozen.set_grad(tensor::of({1, 1}));
    frozen.set_requires_grad(false);
    a.set_grad(tensor::of({1, 1}));
    optimizer.step();
    optimizer.step();
    CHECK(tensor::same_bits(b.value(), start().value()));
    CHECK(tensor::same_bits(frozen.value(), start().value()));
    a.zero_grad();
    b.set_grad(tensor::of({1, 1}));
    const Tensor resting = tensor::clone(a.value());
    optimizer.step();
    CHECK(tensor::same_bits(a.value(), resting));
    CHECK(b(0) == Approx(0.4));  // its first step, though the optimizer's third
    SGD of_frozen({frozen});
    CHECK_THROWS_WITH(of_frozen.step(), Contains("step() would train nothing"));
}

TEST_CASE("gradients accumulate until they are cleared", "[nn][optimizers]") {
    Variable w(tensor::of({1, 2}), requires_grad);
    SGD optimizer({w}, {.lr = 0.5});
    const auto pass = [&] { sum(w * Variable(tensor::of({1, 2}))).backward(); };
    pass();
    pass();
    optimizer.step();
    CHECK(tensor::same_bits(w.value(), tensor::of({0, 0})));
    optimizer.zero_grad();
    CHECK_FALSE(w.has_grad());
    pass();
    optimizer.step();
    CHECK(tensor::same_bits(w.value(), tensor::of({-0.5, -1})));
}

TEST_CASE("the learning rate can be set between steps", "[nn][optimizers]") {
    Variable w(tensor::of({1, 1}), requires_grad);
    SGD optimizer({w}, {.lr = 0.5});
    w.set_grad(tensor::of({1, 2}));
    optimizer.step();
    optimizer.set_lr(0.25);
    CHECK(optimizer.lr() == 0.25);
    optimizer.step();
    CHECK(tensor::same_bits(w.value(), tensor::of({0.25, -0.5})));
    optimizer.set_lr(0);
    optimizer.step();
    CHECK(tensor::same_bits(w.value(), tensor::of({0.25, -0.5})));
}

TEST_CASE("a graph from before a step is not differentiated with the new values",
          "[nn][optimizers]") {
    Variable w = start();
    AdamW optimizer({w});
    const Variable y = sum(w * w);
    w.set_grad(tensor::of({1, 1}));
    optimizer.step();
    CHECK_THROWS_AS(y.backward(), std::runtime_error);
}

TEST_CASE("the state of an optimizer is its own", "[nn][optimizers]") {
    Variable w(tensor::of({1, 1}), requires_grad);
    SGD optimizer({w}, {.lr = 1, .momentum = 0.5});
    Tensor g = tensor::of({1, 2});
    w.set_grad(g);
    optimizer.step();
    tensor::overwrite(g, tensor::of({100, 100}));
    w.set_grad(tensor::of({0, 0}));
    optimizer.step();
    CHECK(tensor::same_bits(w.value(), tensor::of({-0.5, -2})));
}
