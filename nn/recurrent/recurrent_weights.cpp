#include "recurrent_weights.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../../tensor/factories.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {

namespace {

Variable affine(const Variable& x, const Parameter& weight, const Parameter& bias) {
    return bias.is_set() ? linear(x, weight, bias) : matmul(x, transpose(weight));
}

}  // namespace

RecurrentWeights::RecurrentWeights(const char* layer, std::int64_t gates, std::int64_t in,
                                   std::int64_t hidden, bool bias, Random& random, CallSite site) {
    if (in < 1 || hidden < 1) {
        fail_argument(layer, site, "in is ", in, " and hidden is ", hidden,
                      "; both must be at least 1");
    }
    const double bound = 1 / std::sqrt(static_cast<double>(hidden));
    const auto drawn = [&](const Dims& shape, const char* name) {
        return Parameter(tensor::uniform(Shape(shape, site), random, -bound, bound, site), name);
    };
    weight_ih = drawn({gates * hidden, in}, "weight_ih");
    weight_hh = drawn({gates * hidden, hidden}, "weight_hh");
    if (!bias) return;
    bias_ih = drawn({gates * hidden}, "bias_ih");
    bias_hh = drawn({gates * hidden}, "bias_hh");
}

Variable RecurrentWeights::of_input(const Variable& x) const {
    return affine(x, weight_ih, bias_ih);
}

Variable RecurrentWeights::of_state(const Variable& h) const {
    return affine(h, weight_hh, bias_hh);
}

void RecurrentWeights::visit_as(const std::string& suffix, MemberVisitor& visit) {
    visit("weight_ih" + suffix, weight_ih);
    visit("weight_hh" + suffix, weight_hh);
    if (!bias_ih.is_set()) return;
    visit("bias_ih" + suffix, bias_ih);
    visit("bias_hh" + suffix, bias_hh);
}

}}  // namespace heed
