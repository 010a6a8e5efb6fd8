#include "../../tensor/errors.h"
#include "../../tensor/ops.h"
#include "optimizers.h"

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

}}  // namespace heed
