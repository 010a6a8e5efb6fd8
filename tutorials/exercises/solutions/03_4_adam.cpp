// 03.4 Adam                                                  fill · 15 minutes · about 12 lines
//
// One rate is too large for some parameters and too small for others. Adam remembers two running
// means for every entry of a parameter, m of its gradient g and v of g², and steps by their ratio:
//     m ← β1·m + (1 - β1)·g        m̂ = m / (1 - β1ᵗ)
//     v ← β2·v + (1 - β2)·g²       v̂ = v / (1 - β2ᵗ)        w ← w - rate·m̂ / (√v̂ + eps)
// Both begin at 0, so they are too small at first; dividing by 1 - βᵗ corrects this bias in step t
// (t = 1 is the first). eps stands outside the root. Lesson 03.6; Kingma and Ba 2015, algorithm 1.
//
// adam_step makes one step for every parameter that has a gradient, and writes the new numbers of w
// into the parameter. moments[i] belongs to parameters[i]: m and v keep what the formulas on the
// left give, without the correction; kept_of_m is β1ᵗ and kept_of_v is β2ᵗ, both 1 before the first
// step. Each parameter counts steps of its own: one that has no gradient stays as it is, and so do
// its moments. A gradient of zeros is a gradient. The gradients must not change, nor be cleared.
// β1 and β2 are at least 0 and below 1.
#include "tutorials/exercises/judges/lesson_03.h"

#include "autograd/variable.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"

using namespace heed;
using exercise::AdamMoments;
using exercise::AdamSettings;

// w becomes `numbers`. Nothing is missing here.
void write_to(const Variable& parameter, const Tensor& numbers) {
    Tensor w = parameter.value();
    tensor::overwrite(w, numbers);
}

void adam_step(const std::vector<Variable>& parameters, std::vector<AdamMoments>& moments,
               const AdamSettings& settings) {
    // begin stub, stop in adam_step
    //     exercise::not_done("03.4");
    // begin solution
    const double beta1 = settings.beta1, beta2 = settings.beta2;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) continue;
        const Tensor g = parameters[i].grad();
        AdamMoments& of = moments[i];
        of.m = beta1 * of.m + (1 - beta1) * g;
        of.v = beta2 * of.v + (1 - beta2) * g * g;
        of.kept_of_m *= beta1;
        of.kept_of_v *= beta2;
        const Tensor m_hat = of.m / (1 - of.kept_of_m), v_hat = of.v / (1 - of.kept_of_v);
        const Tensor step = settings.rate * m_hat / (tensor::sqrt(v_hat) + settings.eps);
        write_to(parameters[i], parameters[i].value() - step);
    }
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_03_4(adam_step), argc, argv);
}
