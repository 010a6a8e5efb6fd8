#include "nn/optimizer_checks.h"
#include "nn/optimizers.h"
#include "tensor/errors.h"
#include "tensor/ops.h"

namespace heed::inline HEED_PRECISION {

namespace {

void check_beta(const char* optimizer, const char* what, double beta, const Where& where) {
    if (beta >= 0 && beta < 1) return;
    fail_argument(optimizer, text(what, " is ", beta, "; it must be at least 0 and below 1"),
                  where);
}

AdamOptions same_options(const AdamWOptions& options) {
    return {.lr = options.lr,
            .beta1 = options.beta1,
            .beta2 = options.beta2,
            .eps = options.eps,
            .weight_decay = options.weight_decay};
}

}  // namespace

AdamBase::AdamBase(const char* name, const std::vector<NamedParameter>& parameters,
                   const AdamOptions& options, const Where& where)
    : Optimizer(name, parameters, options.lr, where), options_(options),
      moments_(parameters.size()) {
    check_beta(name, "beta1", options.beta1, where);
    check_beta(name, "beta2", options.beta2, where);
    check_not_negative(name, "eps", options.eps, where);
    check_not_negative(name, "weight_decay", options.weight_decay, where);
}

void AdamBase::adam_step(std::size_t i, Tensor& w, const Tensor& g, double w_kept, double w_in_g) {
    std::optional<Moments>& moments = moments_[i];
    if (!moments) moments = Moments{tensor::zeros_like(w), tensor::zeros_like(w)};
    moments->beta1_to_t *= options_.beta1;
    moments->beta2_to_t *= options_.beta2;
    const tensor::AdamStep step = {.lr = lr(),
                                   .beta1 = options_.beta1,
                                   .beta2 = options_.beta2,
                                   .eps = options_.eps,
                                   .beta1_to_t = moments->beta1_to_t,
                                   .beta2_to_t = moments->beta2_to_t,
                                   .w_kept = w_kept,
                                   .w_in_g = w_in_g};
    tensor::adam_step(step, w, g, moments->m, moments->v);
}

Adam::Adam(const std::vector<NamedParameter>& parameters, const AdamOptions& options, Where where)
    : AdamBase("Adam", parameters, options, where) {}

void Adam::update(std::size_t i, Tensor& w, const Tensor& gradient) {
    adam_step(i, w, gradient, 1, options().weight_decay);
}

AdamW::AdamW(const std::vector<NamedParameter>& parameters, const AdamWOptions& options,
             Where where)
    : AdamBase("AdamW", parameters, same_options(options), where) {}

void AdamW::update(std::size_t i, Tensor& w, const Tensor& gradient) {
    adam_step(i, w, gradient, 1 - lr() * options().weight_decay, 0);
}

}  // namespace heed::inline HEED_PRECISION
