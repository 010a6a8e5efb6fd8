// 09.7 A temperature for each head                        extend · 20 minutes · about 8 lines
//
// Lesson 06 made a soft lookup harder or softer with a temperature that divides the scores. Let
// each head learn its own: head n's weights are softmax(q·k / (√d_k · τ_n)). With τ = 1 this is
// ordinary attention, a large τ gives all keys the same weight, a small one selects the best key
// alone.
//
// temperature [h], learned, initially ones, later any numbers above 0, however small or large.
// Q [B, h, T_q, d_k], K [B, h, T_k, d_k], V [B, h, T_k, d_v] -> weights [B, h, T_q, T_k] and output
// [B, h, T_q, d_v] = weights·V, without a mask. Gradients flow from both results back to the
// temperature and the inputs, which may be of any size. The judge checks what must hold of any such
// layer, and then its numbers.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "nn/module.h"
#include "tensor/factories.h"

#include <cmath>

using namespace heed;

struct TemperatureAttention : Module {
    explicit TemperatureAttention(std::int64_t num_heads) {
        // begin stub
        //     exercise::not_done("09.7");
        // begin solution
        temperature = Parameter(tensor::ones({num_heads}));
        // end
    }

    exercise::HeadsAndWeights operator()(const Variable& Q, const Variable& K,
                                         const Variable& V) const {
        // begin stub, stop in TemperatureAttention::operator()
        //     exercise::not_done("09.7");
        // begin solution
        const double root = std::sqrt(static_cast<double>(K.dim(-1)));
        const Variable tau = view(temperature, {temperature.dim(0), 1, 1});  // [h, 1, 1]
        const Variable scores = matmul(Q, transpose(K)) / root / tau;        // [B, h, T_q, T_k]
        const Variable weights = softmax(scores, -1);                        // [B, h, T_q, T_k]
        const Variable output = matmul(weights, V);                          // [B, h, T_q, d_v]
        return {weights, output};
        // end
    }

    void members(MemberVisitor& visit) override { visit("temperature", temperature); }

    Parameter temperature;  // [h]
};

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_09_7(exercise::temperature_layer<TemperatureAttention>()),
                         argc, argv);
}
