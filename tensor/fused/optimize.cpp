// Optimizer steps: the kernels work on contiguous memory, divided among threads.
#include "optimize.h"

#include "../errors.h"
#include "../kernels/kernels.h"
#include "../parallel_walk.h"
#include "../views.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
Scalar scalar(double x) { return static_cast<Scalar>(x); }

void check_shape(const char* name, const Tensor& w, const char* what, const Tensor& other,
                 const CallSite& site) {
    check_equal_shapes(name, "the parameter", w.shape(), what, other.shape(), site);
}

// Contiguous entries for reading and writing: those of the tensor if it is contiguous, else a copy,
// which put_back() writes to the tensor.
class InLine {
  public:
    InLine(const char* operation, Tensor& tensor, const CallSite& site) : tensor_(tensor) {
        check_places(operation, tensor, site);
        numbers_ = contiguous(tensor, site);
    }
    Scalar* data() { return numbers_.writable_data(); }
    void put_back(const CallSite& site) {
        if (!tensor_.is_contiguous()) overwrite(tensor_, numbers_, site);
    }

  private:
    Tensor& tensor_;
    Tensor numbers_;
};

// The gradient, contiguous and not in memory that is about to be overwritten.
Tensor gradient_in_line(const Tensor& g, std::initializer_list<const Tensor*> written,
                        const CallSite& site) {
    for (const Tensor* x : written) {
        if (g.shares_storage_with(*x)) return clone(g, site);
    }
    return contiguous(g, site);
}

}  // namespace

void adam_step(const AdamStep& step, Tensor& w, const Tensor& g, Tensor& m, Tensor& v,
               CallSite site) {
    check_shape("adam_step", w, "the gradient", g, site);
    check_shape("adam_step", w, "m", m, site);
    check_shape("adam_step", w, "v", v, site);
    const kernels::AdamStep task = {.w_kept = scalar(step.w_kept),
                                    .w_in_g = scalar(step.w_in_g),
                                    .beta1 = scalar(step.beta1),
                                    .rest1 = scalar(1 - step.beta1),
                                    .beta2 = scalar(step.beta2),
                                    .rest2 = scalar(1 - step.beta2),
                                    .m_scale = scalar(1 - step.beta1_to_t),
                                    .v_scale = scalar(1 - step.beta2_to_t),
                                    .lr = scalar(step.lr),
                                    .eps = scalar(step.eps)};
    const Tensor gradient = gradient_in_line(g, {&w, &m, &v}, site);
    InLine w_line("adam_step", w, site);
    InLine m_line("adam_step", m, site);
    InLine v_line("adam_step", v, site);
    Scalar* const to_w = w_line.data();
    Scalar* const to_m = m_line.data();
    Scalar* const to_v = v_line.data();
    parallel_for(w.numel(), grain_of_numbers, [&](std::int64_t begin, std::int64_t end) {
        kernels::active().adam(task, end - begin, to_w + begin, gradient.data() + begin,
                               to_m + begin, to_v + begin);
    });
    w_line.put_back(site);
    m_line.put_back(site);
    v_line.put_back(site);
}

void sgd_step(const SgdStep& step, Tensor& w, const Tensor& g, Tensor& b, CallSite site) {
    const bool has_momentum = step.momentum != 0;
    check_shape("sgd_step", w, "the gradient", g, site);
    if (has_momentum) check_shape("sgd_step", w, "b", b, site);
    const kernels::SgdStep task = {.lr = scalar(step.lr),
                                   .w_in_g = scalar(step.w_in_g),
                                   .momentum = scalar(step.momentum),
                                   .rest = scalar(1 - step.dampening),
                                   .has_momentum = has_momentum,
                                   .first = step.first,
                                   .nesterov = step.nesterov};
    const Tensor gradient = gradient_in_line(g, {&w, &b}, site);
    InLine w_line("sgd_step", w, site);
    std::optional<InLine> b_line;
    if (has_momentum) b_line.emplace("sgd_step", b, site);
    Scalar* const to_w = w_line.data();
    Scalar* const to_b = has_momentum ? b_line->data() : nullptr;
    parallel_for(w.numel(), grain_of_numbers, [&](std::int64_t begin, std::int64_t end) {
        kernels::active().sgd(task, end - begin, to_w + begin, gradient.data() + begin,
                              to_b ? to_b + begin : nullptr);
    });
    w_line.put_back(site);
    if (b_line) b_line->put_back(site);
}

}}}  // namespace heed::tensor
