// 04.2 Sinusoidal positions                                  fill · 15 minutes · about 6 lines
//
// Without positions a sentence is a bag of rows. Instead of learning a row for each position, we
// can compute it: pairs of a sine and a cosine, each pair rotating more slowly than the one before,
// like the hands of a clock. The sine of pair i, counted from 0, is dimension 2i, its cosine 2i+1:
//
//     P[t, 2i] = sin(t / 10000^(2i/d)),    P[t, 2i+1] = cos(t / 10000^(2i/d))
//
// Notes 002 and 004; Vaswani et al. 2017, section 3.5. "Even" and "odd" refer to dimensions, not to
// positions (erratum 002-9), and the numbers lie between -1 and 1 (erratum 004-7).
//
// T positions, counted from 0, and an even d -> P [T, d]; T from 1 to 1000, d from 2. Each number
// is to be right to 0.0001, at every position.
#include "tutorials/exercises/judges/lesson_04.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/join.h"
#include "tensor/views.h"

using namespace heed;

Tensor sinusoidal_positions(std::int64_t T, std::int64_t d) {
    // begin stub, stop in sinusoidal_positions
    //     exercise::not_done("04.2");
    // begin solution
    const double dimensions = static_cast<double>(d);
    const Tensor exponents = tensor::arange(0, dimensions, 2) / dimensions;         // [d/2]
    const Tensor rates = tensor::pow(tensor::of(10000), -exponents);                // [d/2]
    const Tensor t = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);  // [T, 1]
    const Tensor angles = t * rates;                                                // [T, d/2]
    const Tensor pairs = tensor::stack({tensor::sin(angles), tensor::cos(angles)}, -1);
    const Tensor P = tensor::reshape(pairs, {T, d});
    return P;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_04_2(sinusoidal_positions), argc, argv);
}
