// The steps of SGD, and of Adam and AdamW.
#include "optimizers.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"

namespace heed { inline namespace HEED_PRECISION {

SGD::SGD(const std::vector<ParameterGroup>& groups, const SgdOptions& options, CallSite site)
    : Optimizer("SGD", groups, options.lr, options.weight_decay, site), options_(options),
      velocity_(parameters().size()) {
    check_not_negative("SGD", "momentum", options.momentum, site);
    if (!__builtin_isfinite(options.dampening)) {
        fail_argument("SGD", site, "dampening is ", options.dampening, "; it must be finite");
    }
    check_not_negative("SGD", "1 - dampening, in size,", std::abs(1 - options.dampening), site);
    if (options.nesterov && (options.momentum == 0 || options.dampening != 0)) {
        fail_argument("SGD", site, "nesterov is set with momentum ", options.momentum,
                      " and dampening ", options.dampening,
                      "; it needs a momentum above 0 and no dampening");
    }
}

void SGD::update(std::size_t i, Tensor& w, const Tensor& gradient) {
    std::optional<Tensor>& b = velocity_[i];
    const bool first = !b;
    if (first) b = options_.momentum == 0 ? Tensor() : tensor::zeros_like(w);
    const tensor::SgdStep step = {.lr = lr_of(i),
                                  .w_in_g = weight_decay_of(i),
                                  .momentum = options_.momentum,
                                  .dampening = options_.dampening,
                                  .first = first,
                                  .nesterov = options_.nesterov};
    tensor::sgd_step(step, w, gradient, *b);
}

std::vector<Optimizer::Remembered> SGD::remembered_kinds() const {
    if (options_.momentum == 0) return {};
    return {{"momentum_buffer"}};
}

std::vector<Tensor> SGD::remembered(std::size_t i) const {
    if (options_.momentum == 0 || !velocity_[i]) return {};
    return {*velocity_[i]};
}

void SGD::remember(std::size_t i, const std::vector<Tensor>& values) {
    velocity_[i].reset();
    if (!values.empty()) velocity_[i] = tensor::clone(values[0]);
}

namespace {
constexpr std::int64_t most_steps = 1 << 24;

void check_beta(const char* optimizer, const char* what, double beta, const CallSite& site) {
    if (beta >= 0 && beta < 1) return;
    fail_argument(optimizer, site, what, " is ", beta, "; it must be at least 0 and below 1");
}

AdamOptions same_options(const AdamWOptions& options) {
    return {.lr = options.lr,
            .beta1 = options.beta1,
            .beta2 = options.beta2,
            .eps = options.eps,
            .weight_decay = options.weight_decay};
}

}  // namespace

AdamBase::AdamBase(const char* name, const std::vector<ParameterGroup>& groups,
                   const AdamOptions& options, const CallSite& site)
    : Optimizer(name, groups, options.lr, options.weight_decay, site), options_(options),
      moments_(parameters().size()) {
    check_beta(name, "beta1", options.beta1, site);
    check_beta(name, "beta2", options.beta2, site);
    check_not_negative(name, "eps", options.eps, site);
}

void AdamBase::Moments::count_step(const AdamOptions& options) {
    if (t == most_steps) return;
    ++t;
    beta1_to_t *= options.beta1;
    beta2_to_t *= options.beta2;
}

void AdamBase::adam_step(std::size_t i, Tensor& w, const Tensor& g, double w_kept, double w_in_g) {
    std::optional<Moments>& moments = moments_[i];
    if (!moments) moments = Moments{tensor::zeros_like(w), tensor::zeros_like(w)};
    moments->count_step(options_);
    const tensor::AdamStep step = {.lr = lr_of(i),
                                   .beta1 = options_.beta1,
                                   .beta2 = options_.beta2,
                                   .eps = options_.eps,
                                   .beta1_to_t = moments->beta1_to_t,
                                   .beta2_to_t = moments->beta2_to_t,
                                   .w_kept = w_kept,
                                   .w_in_g = w_in_g};
    tensor::adam_step(step, w, g, moments->m, moments->v);
}

std::vector<Optimizer::Remembered> AdamBase::remembered_kinds() const {
    return {
        {.name = "step", .is_count = true}, {"exp_avg"}, {.name = "exp_avg_sq", .is_square = true}};
}

std::vector<Tensor> AdamBase::remembered(std::size_t i) const {
    const std::optional<Moments>& moments = moments_[i];
    if (!moments) return {};
    const Tensor t = tensor::full(Shape{}, static_cast<double>(moments->t));
    return {t, moments->m, moments->v};
}

void AdamBase::remember(std::size_t i, const std::vector<Tensor>& values) {
    moments_[i].reset();
    if (values.empty()) return;
    Moments moments{tensor::clone(values[1]), tensor::clone(values[2])};
    const double saved = static_cast<double>(values[0].item());
    const std::int64_t t = saved < most_steps ? static_cast<std::int64_t>(saved) : most_steps;
    double before1 = 0, before2 = 0;
    // Repeats the products of the steps, for the same bits, until they no longer change.
    while (moments.t < t && (moments.beta1_to_t != before1 || moments.beta2_to_t != before2)) {
        before1 = moments.beta1_to_t;
        before2 = moments.beta2_to_t;
        moments.count_step(options_);
    }
    moments.t = t;
    moments_[i] = moments;
}

Adam::Adam(const std::vector<ParameterGroup>& groups, const AdamOptions& options, CallSite site)
    : AdamBase("Adam", groups, options, site) {}

void Adam::update(std::size_t i, Tensor& w, const Tensor& gradient) {
    adam_step(i, w, gradient, 1, weight_decay_of(i));
}

AdamW::AdamW(const std::vector<ParameterGroup>& groups, const AdamWOptions& options, CallSite site)
    : AdamBase("AdamW", groups, same_options(options), site) {}

void AdamW::update(std::size_t i, Tensor& w, const Tensor& gradient) {
    adam_step(i, w, gradient, 1 - lr_of(i) * weight_decay_of(i), 0);
}

}}  // namespace heed
